// Words of customers for money that arrives. How the lists are written: words.ts.

/** By our own category, of either kind of account. */
export const incomingWords: Readonly<Record<string, string>> = {
  paycheck: `paychecks | salary | salaries | wages | wage | pay | payroll | salary and wages | wages and salary |
    employment | employment income | regular income | primary income | primary paycheck | =job | day job | part time job | full time job | job income | earned income | gehalt |
    gehälter | lohn | löhne | lohn und gehalt | gehalt und lohn | arbeitseinkommen | arbeitslohn | nettolohn | salaire |
    salaires | paie | paye | nómina | nóminas | sueldo | sueldos | salario | salarios | stipendio | loon | salaris > #income`,
  refund: `#refunds > cashback | cash back`,
  "atm/bank deposit": `deposit | deposits | cash deposit | cash deposits | bank deposit | bank deposits | atm deposit |
    check deposit | check deposits | cash and checks | checks | cheques | cash in | cash | top up | top ups | undeposited funds |
    einzahlung | einzahlungen | bareinzahlung | bareinzahlungen | dépôt | dépôts | dépôt d'espèces | versement |
    versements | remise de chèques | depósito | depósitos | ingreso en efectivo | ingresos en efectivo | efectivo |
    versamenti`,
  freelance: `freelancing | freelancer | self employment | self employed | self employment income | side income |
    side hustle | side job | side jobs | second job | gig | gigs | gig work | contract work | contracting | contractor income |
    consulting income | consulting | freelance work | selbständigkeit | selbstständigkeit | selbständige tätigkeit |
    nebenjob | nebeneinkünfte | honorar | honorare | freiberuflich | honoraires | travail indépendant | indépendant |
    auto entreprise | autónomo | autónomos | trabajo autónomo | trabajos | honorarios | libera professione > business income | business revenue |
    business | revenue > #serviceIncome > #income > #otherIncome`,
  "property rental": `#rentIn > passive income | real estate > #otherIncome > #income`,
  loans: `#borrowed > financing | debt | finanzierung | financement | financiación`,
  ecommerce: `online sales | online selling | marketplace | marketplaces | marketplace sales | selling | items sold | sold items |
    things sold | selling stuff | sale of items | sales | ebay | etsy | verkäufe | online verkäufe | onlineverkäufe |
    private verkäufe | ventes | ventes en ligne | ventas | ventas online | segunda mano | vendite > business income |
    revenue | side income | side hustle > #otherIncome > #income`,
  "government benefits": `#benefits > government > #otherIncome > #income`,
  "social security": `social security income | social security benefits | state pension | disability | disability benefits | ssi |
    gesetzliche rente | sécurité sociale | seguridad social > #pension > #benefits > government > #otherIncome > #income`,
  "unemployment insurance": `unemployment | unemployment benefits | unemployment benefit | jobseekers allowance |
    arbeitslosengeld | arbeitslosigkeit | chômage | allocation chômage | allocations chômage | allocations et chômage |
    indemnités chômage | desempleo | paro | prestación por desempleo | disoccupazione > #benefits > government > #otherIncome > #income`,
  "child support": `alimony | alimony and child support | child maintenance | maintenance payments | spousal support |
    unterhalt | kindesunterhalt | unterhaltszahlungen | pension alimentaire | manutención | pensión alimenticia | mantenimento
    > #otherIncome > #income`,
  "interest and dividends": `#interestIn > #dividends > #investmentIncome > #otherIncome > #income`,
  "retirement funds": `#pension | retirement funds | retirement fund | retirement account | retirement distribution |
    401k | ira > #investmentIncome > #otherIncome > #income`,
  "rideshare and delivery income": `rideshare income | rideshare | delivery income | driving income | driving | courier income |
    gig | gigs | gig work | gig income | side income | side hustle | side job | side jobs | nebenjob | nebeneinkünfte
    > freelance | freelancing | self employment | self employed | selbständigkeit | indépendant | autónomo | business income
    > #serviceIncome > #income > #otherIncome`,
  "insurance payout": `insurance | insurance payouts | insurance claim | insurance claims | insurance proceeds | claims |
    insurance reimbursement | insurance reimbursements | insurance refund | versicherung | versicherungsleistung |
    versicherungsleistungen | versicherungserstattung | indemnité | indemnités | indemnité d'assurance |
    remboursement assurance | remboursements assurance | indemnización | indemnizaciones | seguro | seguros | risarcimenti
    > #refunds > #otherIncome`,
  "tax refund": `tax refunds | tax return | tax rebate | tax rebates | tax credit | tax credits | vat refund | vat refunds |
    sales tax refund | hmrc refund | steuererstattung | steuererstattungen | steuerrückerstattung | steuerrückzahlung |
    umsatzsteuererstattung | umsatzsteuer erstattung | remboursement d'impôt | remboursement d'impôts | remboursement impôts | crédit d'impôt |
    remboursement tva | devolución de hacienda | devolución de impuestos | devolución impuestos | devolución iva |
    rimborso fiscale | rimborso tasse > tax | taxes | steuer | steuern | impôts | impuestos > #refunds > government > #otherIncome`,
  "cash back and rewards": `cashback | cash back | reward | rewards | cashback and rewards | rewards and cashback | points |
    bonuses and rewards | loyalty | prämie | prämien | bonusprogramme | bonuspunkte | récompenses | remises | fidélité |
    recompensas | premios y recompensas > #refunds > #otherIncome`,
  "reversal / adjustment": `reversal | reversals | adjustment | adjustments | reversals and adjustments | correction |
    corrections | fee reversal | chargeback reversal | chargeback | chargebacks | disputes | storno | stornos |
    stornierung | korrektur | korrekturen | annulation | annulations | régularisation | régularisations | ajuste |
    ajustes | correcciones | storni > #refunds`,
  "inter account transfer": `transfer in | transfers in | incoming transfer | incoming transfers | external transfer |
    external transfers | transfers received | transfer received | wire | wires | wire transfer | überweisungseingang |
    virement reçu | virements reçus | transferencias recibidas | #transfers > #internalTransfers`,
  "intra account transfer": `#internalTransfers > from savings | transfer from savings | transfers from savings > transfer in |
    transfers in | #transfers`,
  "peer to peer transfer": `p2p | peer to peer | p2p payments | friends and family | =friends | from friends | money from friends |
    friends family | bizum | zelle | venmo | lydia | paypal | freunde | freunde und familie | amis | amigos
    > transfer in | transfers in | incoming transfers | #transfers`,
  "trading (crypto)": `crypto | cryptocurrency | cryptocurrencies | crypto trading | bitcoin | digital assets | krypto |
    kryptowährungen | cryptos | cryptomonnaie | cryptomonnaies | cripto | criptomonedas > trading > #investmentIncome
    | #investments > #otherIncome`,
  "trading (non-crypto)": `trading | stocks | stock sales | shares | securities | brokerage | aktien | aktienverkäufe | bourse |
    bolsa | acciones | actions > #investmentIncome | #investments > #otherIncome`,
  investment: `#investmentIncome | #investments > interest and dividends | zinsen und dividenden | intérêts et dividendes |
    intereses y dividendos > #otherIncome`,
  gambling: `gambling winnings | winnings | lottery | lottery winnings | betting | prizes | bets | gambling income | glücksspiel |
    spielgewinne | lottogewinn | gains de jeux | jeux | loterie | apuestas | lotería | premios | vincite > #otherIncome`,
  "sales revenue": `#sales > #income > operating income | money in`,
  "service revenue": `#serviceIncome > freelance | freelance income | self employment > #sales > #income`,
  "marketplace payout": `marketplace payouts | marketplace payout | marketplace | marketplaces | marketplace sales | online sales |
    ecommerce | ecommerce sales | e commerce sales | platform payouts | payouts | payout | online store | webshop |
    onlineshop | ventes en ligne | ventas online | ventas en línea > #sales > #income`,
  "rental income": `#rentIn > passive income | real estate > #otherIncome > #income`,
  "chargeback reversal": `chargeback reversals | chargeback | chargebacks | disputes | disputes won | rückbuchungen | contestations |
    contracargos > reversal | reversals | adjustments | reversal adjustment > #refunds`,
  interest: `#interestIn > #investmentIncome > #otherIncome > #income`,
  dividends: `#dividends > interest income > #investmentIncome > #otherIncome > #income`,
  "loan proceeds": `#borrowed > financing | debt | finanzierung | financement | financiación`,
  "owner contribution": `#ownFunds > capital | equity | kapital | eigenkapital | capital social | patrimonio > financing | finanzierung |
    financement`,
  "equity investment": `equity | equity investments | investor funds | investors | investor money | capital raised | fundraising |
    share capital | venture capital | funding | seed funding | paid in capital | equity financing | eigenkapital |
    stammkapital | kapitalerhöhung | beteiligungskapital | augmentation de capital | levée de fonds | capital social |
    ampliación de capital | capital > financing > #ownFunds`,
  "grants and subsidies": `grant | grants | subsidy | subsidies | scholarship | scholarships | stipendium | stipendien | bourses | beca | becas | government grants | government grant | grant income | funding |
    zuschuss | zuschüsse | fördermittel | förderung | subventionen | subvention | subventions | subventions d'exploitation |
    aides | subvención | subvenciones | ayudas | contributi pubblici > government > #benefits > #otherIncome > #income`,
};
