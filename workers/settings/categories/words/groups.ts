// Words of customers that stand for several of our categories, from the aisles of a shop to halves of a life. A list of
// words names a group as `#food`. How the lists are written: words.ts.

/** By name; used for money that leaves, or for either direction. */
export const groups: Readonly<Record<string, string>> = {
  grocery: `groceries | grocery shopping | grocery stores | supermarket | supermarkets | food shopping | food shop |
    food stores | weekly shop | food at home | food and groceries | groceries and food | lebensmittel | supermarkt |
    lebensmitteleinkauf | lebensmitteleinkäufe | lebensmittel und haushalt | nahrungsmittel | supermarché |
    supermarchés | courses alimentaires | alimentation | épicerie | supermercado | supermercados |
    supermercado y alimentación | la compra | compra semanal | alimentación | spesa | supermercato | boodschappen |
    mercearia | compras do mês | supermercado e alimentação`,
  eatingOut: `restaurants | restaurant | dining | dining out | dine out | eating out | eat out | meals out |
    eating and drinking out | restaurants and bars | bars and restaurants | bars and cafes | restaurants and cafes |
    cafes and restaurants | takeaway | takeaways | takeout | fast food | food delivery | meal delivery | lunch | dinner |
    lunches | food away from home | food out | food and drink out | dining and drinks | restaurants and dining |
    gastronomie | restaurants und cafés | essen gehen | auswärts essen | ausser haus essen | restaurantbesuche |
    lieferdienst | lieferdienste | restaurants et bars | restos | resto | bars et restaurants | sorties restaurants |
    fast foods | comer fuera | comidas fuera | restaurantes | bares y restaurantes | restaurantes y cafeterías |
    hostelería | ristoranti | ristorante | horeca |
    comer fora | refeições fora | restaurantes e bares | lanchonete`,
  food: `food | food and drink | food and drinks | food and dining | food and beverage | food and beverages |
    food beverage | nutrition | feeding | eating | essen | essen und trinken | ernährung | verpflegung | nahrung |
    nourriture | alimentation et restaurants | alimentation | comida | comidas | alimentos | alimentación |
    comida y bebida | cibo | alimentari | eten en drinken |
    alimentação | refeições | comida e bebida | alimentação e bebidas`,
  home: `home | house | housing | home and property | property | home and garden | house and garden | home and living | living space |
    home expenses | wohnen | haus | zuhause | wohnung | haus und garten | wohnkosten |
    logement | maison | habitation | foyer | hogar | casa | vivienda | hogar y jardín | abitazione | wonen |
    moradia | habitação | casa e jardim`,
  bills: `bills | household bills | regular bills | monthly bills | bills and utilities | bills and services |
    recurring bills | recurring | recurring payments | recurring expenses | fixed costs | fixed expenses | fixed |
    standing orders | direct debits | commitments | fixkosten | fixe kosten | rechnungen | feste ausgaben | factures |
    charges fixes | dépenses fixes | prélèvements | facturas | recibos | gastos fijos | domiciliaciones | bollette |
    contas | contas fixas | despesas fixas | contas da casa | boletos`,
  essentials: `essentials | essential | essential spending | needs | necessities | necessary | living | living expenses |
    living costs | cost of living | day to day | day to day living | everyday | everyday expenses | everyday spending |
    daily expenses | daily life | daily living | basics | basic needs | must haves | musts | mandatory | survival |
    grundbedarf | grundbedürfnisse | bedürfnisse | lebenshaltung | lebenshaltungskosten | lebensunterhalt | alltag |
    notwendiges | notwendig | lebensnotwendiges | essentiel | essentiels | besoins | besoins essentiels |
    dépenses courantes | vie courante | vie quotidienne | quotidien | dépenses essentielles | necesidades | básicos |
    gastos básicos | esencial | esenciales | día a día | vida diaria | necesidades básicas | necessità |
    despesas essenciais | essenciais | necessidades`,
  lifestyle: `lifestyle | wants | wishes | nice to have | nice to haves | discretionary | discretionary spending |
    non essential | non essentials | flexible spending | fun | fun money | fun spending | treats | luxuries | luxury |
    leisure and lifestyle | personal spending | spending money | guilt free spending | play | pleasure | quality of life |
    guilty pleasures | lebensstil | wünsche | vergnügen | lebensqualität | luxus | spass | genuss | envies | plaisirs |
    plaisir | style de vie | superflu | confort | caprichos | deseos | estilo de vida | no esencial | no esenciales |
    gastos personales | desideri | svago |
    desejos`,
  transport: `transport | transportation | getting around | travel and transport | transport and travel | mobility |
    commuting | commute | getting to work | verkehr | mobilität | verkehrsmittel | transports | auto et transports |
    déplacement | mobilité | transporte | transportes | movilidad | trasporti | vervoer |
    mobilidade | deslocamento`,
  car: `car | cars | auto | autos | automobile | automotive | automobiles | vehicle | vehicles | motor | motoring | driving |
    motor vehicle | motor vehicles | car and truck | auto and transport | running a car | car costs | kfz | pkw | fahrzeug |
    fahrzeuge | autokosten | voiture | voitures | véhicule | véhicules | coche | coches | coche y moto | vehículo |
    vehículos | carro | automóvil | auto e moto | motorcycle |
    veículo | veículos | automóvel`,
  shopping: `shopping | retail | retail shopping | general merchandise | merchandise | purchases | stores | shops | shop |
    general shopping | consumer goods | personal shopping | =things | =stuff | einkäufe | einkaufen | einkauf | konsum |
    konsumausgaben | shopping und einkäufe | anschaffungen | achats | achats et shopping | achats divers | emplettes |
    compras | tiendas | comercio | acquisti | winkelen`,
  leisure: `entertainment | entertainment and leisure | leisure and entertainment | leisure | leisure time |
    leisure activities | recreation | entertainment and rec | free time | fun | fun money | fun activities |
    activities | hobbies and leisure | hobbies and entertainment | freizeit | unterhaltung |
    freizeit und unterhaltung | hobby und freizeit | hobbys und freizeit | freizeitaktivitäten | loisirs |
    loisirs et sorties | divertissement | divertissements | ocio | entretenimiento | diversión | tiempo libre |
    ocio y entretenimiento | ocio y cultura | tempo libero | intrattenimento | vrije tijd |
    lazer | entretenimento | diversão | lazer e entretenimento`,
  travel: `travel | travels | travelling | travel and vacation | vacation | vacations | holiday | holidays | trip | trips |
    travel and holidays | holidays and travel | getaways | reisen | reise | urlaub | reisen und urlaub | ferien |
    urlaub und reisen | voyages | voyage | vacances | voyages et vacances | week ends | viajes | viaje | vacaciones |
    viajes y hoteles | viajes y vacaciones | viaggi | vacanze | reizen |
    viagem | viagens | férias | viagens e férias`,
  health: `health | healthcare | health care | wellness | wellbeing | well being | health and wellness |
    health and wellbeing | health and fitness | health and medical | medical and health | health and beauty | gesundheit |
    gesundheit und drogerie | wohlbefinden | gesundheitskosten | santé | santé et bien être | bien être | salud |
    bienestar | salud y bienestar | salud y farmacia | salute | gezondheid |
    saúde | saúde e bem estar | bem estar`,
  kids: `kids | kid | children | child | family | family care | family and kids | kids and family | baby | babies |
    baby and kids | baby and child | parenting | kids activities | childcare and education | kinder | familie | kind |
    familie und kinder | enfants | enfant | famille | bébé | enfants et famille | hijos | niños | familia | bebé | figli |
    famiglia | bambini | kinderen |
    filhos | crianças | família`,
  finance: `finance | finances | financial | financial services | banking | bank | money matters | finanzen | bank und finanzen |
    finanzielles | finanzdienstleistungen | banque | banques | services financiers | finanzas | banco | bancos |
    servicios financieros | finanza | financiën |
    finanças | serviços financeiros`,
  bankFees: `bank fees | bank fee | bank charges | bank charge | bank charges and fees | bank service charges | banking fees |
    banking costs | bank costs | bank and finance charges | bank finance charges | account fees | account fee |
    account charges | service charge | service charges | atm fees | finance charges | finance charge | financial fees |
    finance fees | bankgebühren | bankgebühr | kontogebühren | kontoführung | kontoführungsgebühren | bankspesen |
    nebenkosten des geldverkehrs | frais bancaires | frais de banque | services bancaires | commissions bancaires |
    frais financiers | comisiones bancarias | comisión bancaria | gastos bancarios | servicios bancarios |
    gastos y comisiones bancarias | commissioni bancarie | spese bancarie | bankkosten |
    tarifas bancárias | tarifa bancária | taxas bancárias | despesas bancárias`,
  fees: `fees | fee | charges | fees and charges | charges and fees | fees and adjustments | fees and interest |
    interest and fees | gebühren | gebühren und zinsen | spesen und gebühren | frais | frais et commissions |
    commissions | comisiones | comisiones y gastos | tarifas | cargos | commissioni`,
  loans: `loan | loans | loan payments | loan repayments | loans and credit | loans and debts | personal loan |
    personal loans | bank loan | bank loans | loan principal | loan payable | borrowing | kredit | kredite | kreditrate |
    kreditraten | darlehen | tilgung | kredittilgung | remboursement de prêt | remboursements de prêts | prêt | prêts |
    crédit | crédits | crédits et prêts | emprunt | emprunts | remboursement d'emprunt | préstamo | préstamos |
    cuota del préstamo | préstamos y créditos | créditos | prestiti | prestito | leningen |
    empréstimo | empréstimos | financiamento | financiamentos`,
  debt: `debt | debts | debt repayment | debt repayments | debt payments | credit | credit and loans | loans and debt |
    repayments | obligations | liabilities | savings and debt | schulden | schuldentilgung | verbindlichkeiten | dettes |
    dette | deudas | deuda | pago de deudas | debiti |
    dívidas | dívida`,
  savings: `savings | saving | saving goals | savings goals | savings and investments | savings and investing |
    saving and investing | financial goals | goals | future | my future | sparen | ersparnisse | rücklagen | zukunft |
    sparen und anlegen | sparziele | sparen und investieren | épargne | épargne et placements | épargne et investissement |
    économies | avenir | ahorro | ahorros | ahorro e inversión | metas | futuro | risparmi | risparmio | sparen en beleggen |
    poupança | poupanças`,
  investments: `investment | investments | investing | invest | investments and savings | brokerage | brokerage account |
    stocks and shares | stocks | shares | securities | wealth | wealth building | portfolio | funds | etf | investieren |
    geldanlage | geldanlagen | anlegen | anlage | kapitalanlage | investition | investitionen | wertpapiere | aktien |
    depot | placements | placement | investissement | investissements | bourse | inversión | inversiones | bolsa |
    inversiones financieras | fondos | investimenti | beleggen | beleggingen |
    investimento | investimentos`,
  transfers: `transfer | transfers | bank transfer | bank transfers | money transfer | money transfers | account transfer |
    account transfers | payments and transfers | transfers and payments | überweisung | überweisungen | umbuchung |
    umbuchungen | virement | virements | transferencia | transferencias | traspaso | traspasos | bonifici | overboekingen |
    transferência | transferências | pix`,
  internalTransfers: `internal transfer | internal transfers | internal | own accounts | own account transfer | own transfers |
    transfer between accounts | transfers between accounts | between accounts | between own accounts | self transfer |
    transfer to another account | transfer from another account | interne umbuchung |
    interne umbuchungen | eigene konten | umbuchung | umbuchungen | eigenüberweisung | virement interne |
    virements internes | entre mes comptes | traspaso interno | traspasos internos | traspasos entre cuentas |
    traspaso | traspasos | transferencias internas | transferencias propias | giroconto`,
  giving: `gifts and donations | donations and gifts | gifts and charity | charity and gifts | giving |
    gifts and giving | gifts and contributions | geschenke und spenden | spenden und geschenke | cadeaux et dons |
    dons et cadeaux | regalos y donaciones | donaciones y regalos`,
  other: `other | others | misc | miscellaneous | misc expenses | other expenses | general | general expenses | sundry |
    sundries | various | everything else | other spending | sonstiges | verschiedenes | sonstige ausgaben | sonstige |
    diverses | übriges | divers | autre | autres | autres dépenses | dépenses diverses | otros | otro | varios |
    otros gastos | gastos varios | altro | varie | overig |
    outros | outras despesas | diversos`,
  services: `services | service | general services | personal services | other services | consumer services | dienstleistungen | dienstleistung | services divers | autres services | prestations |
    servicios | otros servicios | servicios varios | servizi | diensten |
    serviços | outros serviços`,
  subscriptions: `subscription | subscriptions | dues and subscriptions | subscriptions and memberships |
    memberships and subscriptions | membership | memberships | dues | digital subscriptions | online subscriptions |
    subscriptions and apps | abo | abos | abonnement | abonnements | mitgliedschaften | mitgliedsbeiträge |
    abos und mitgliedschaften | abonnements et adhésions | adhésions | cotisations | suscripción | suscripciones |
    suscripciones y cuotas | cuotas | abbonamenti | abonnementen |
    assinatura | assinaturas | mensalidades`,
  tech: `technology | tech | it | it costs | information technology | computer | computers | computing | computer and internet |
    technik | edv | edv kosten | it kosten | informatique | informática | tecnología | tecnologie |
    tecnologia`,
  overhead: `overhead | overheads | general and administrative | administration | admin | administrative |
    administrative expenses | general and admin | operating expenses | operating costs | operations | opex |
    business expenses | other business expenses | running costs | verwaltung | verwaltungskosten | betriebskosten |
    betriebsausgaben | sonstige betriebliche aufwendungen | sonstige betriebsausgaben | frais généraux |
    charges d'exploitation | frais administratifs | autres charges | frais d'administration | gastos generales |
    gastos de administración | gastos operativos | otros gastos de explotación`,
  taxes: `tax | taxes | income tax | income taxes | tax payments | tax bill | taxes paid | tax expense | income tax expense |
    taxes and licenses | licenses permits and taxes | taxes and fees | taxes and duties | federal tax | federal taxes |
    state tax | state taxes | self assessment | self assessment tax | vat | vat payment | vat payments | sales tax |
    corporation tax | corporate tax | business tax | business taxes | hmrc | irs | steuer | steuern |
    steuern und abgaben | umsatzsteuer | einkommensteuer | gewerbesteuer | körperschaftsteuer | betriebliche steuern |
    finanzamt | impôt | impôts | impôts et taxes | taxes et impôts | impôts locaux | impôt sur le revenu | tva |
    impôt sur les sociétés | impuesto | impuestos | impuestos y tasas | tributos | otros tributos | iva | hacienda |
    impuesto de sociedades | tasse | imposte | belastingen |
    imposto | impostos | impostos e taxas`,
  government: `government | government services | government fees | government payments | public services | public sector |
    government and non profit | licences | licenses | permits | licenses and permits | licences and permits |
    licenses permits and taxes | fines | fines and penalties | fines and fees | administrative fees |
    administration fees | behörden | behörde | ämter | amt | abgaben | verwaltungsgebühren | bussgelder | amendes |
    amende | service public | services publics | frais administratifs | administración | administración pública |
    administraciones públicas | multas | tasas | gobierno | amministrazione | multe`,
  carCare: `car maintenance | auto maintenance | car repairs | auto repairs | auto repair | vehicle repairs |
    vehicle maintenance | vehicle repairs and maintenance | car service | car servicing | auto service | service and parts |
    auto parts | car parts | auto service and parts | mot | car care | motor expenses | motor vehicle expenses | werkstatt |
    autowerkstatt | kfz reparatur | kfz reparaturen | autoreparatur | autoreparaturen | kfz wartung | kfz kosten |
    entretien voiture | entretien auto | réparation auto | réparations auto | entretien du véhicule | garage |
    taller | mecánico | reparaciones del coche | mantenimiento del coche | mantenimiento coche | officina |
    manutenção do carro | oficina mecânica | manutenção do veículo`,
  saas: `software | software subscriptions | software subscription | saas | saas tools | apps and software | computer software |
    software and apps | software and tech | software and technology | it software | it software and consumables |
    office supplies and software | web services | online services | cloud services | software licenses |
    software licences | software and subscriptions | software tools | it services | digital services | digital tools |
    logiciel | logiciels | abonnements logiciels | licences logiciels | programas | software y licencias |
    aplicaciones informáticas`,
  utilities: `utility | utilities | electricity and gas | gas and electricity | gas and electric | electric and gas |
    energy | energy bills | power | power and water | water and electricity | light power heating | heat light and power |
    heat and light | light and heat | energy and water | water gas and electricity | gas electricity and water |
    household utilities | utilities and phone | home utilities | strom gas wasser | strom und gas | strom wasser gas |
    gas strom wasser | nebenkosten | energie | energiekosten | strom | versorger | heizung strom wasser |
    électricité et gaz | gaz et électricité | eau électricité gaz | eau gaz électricité | eau et énergie | eau énergie |
    énergie | énergies | énergie et eau | fluides | eau et électricité | suministros | agua luz y gas | luz agua y gas |
    luz y gas | luz y agua | energía | gas y electricidad | servicios básicos | utenze | nutsvoorzieningen |
    água e luz | água luz e gás | energia elétrica | energia e água`,
  ads: `advertising | advertisement | advertisements | ads | advertising and marketing |
    marketing and advertising | advertising and promotion | advertising and promotions |
    werbung | werbekosten | anzeigen | werbeanzeigen | publicité | publicités | annonces | publicité et marketing |
    publicidad | publicidad y propaganda | publicidad y marketing | anuncios | pubblicità |
    publicidade | propaganda`,
  marketing: `marketing | marketing and promotion | marketing and promotions | promotion | promotions | sales and marketing |
    marketing and sales | pr | public relations | branding | marketing and events | marketing expense | marketingkosten |
    werbung und marketing | communication et marketing | relations publiques | mercadotecnia | marketing y publicidad`,
  professional: `professional services | professional fees | consulting | consultancy | consultancy fees | consulting fees |
    consultants | advisory | advisory fees | legal and professional fees | legal and professional services |
    legal and professional | business services | outside services | professional fees legal accounting | beratung |
    beratungskosten | rechts und beratungskosten | unternehmensberatung | honorare | honoraires | honoraire | conseil |
    conseils | services extérieurs | rémunérations d'intermédiaires et honoraires | consultoría | asesoría |
    asesoramiento | honorarios | servicios profesionales | servicios de profesionales independientes | consulenza |
    consulenze |
    consultoria | honorários | serviços profissionais`,
  accounting: `accounting | accountancy | accounting fees | accountancy fees | accountants | accountant | audit |
    audit and accountancy | audit and accountancy fees | bookkeeping | legal and accounting | legal and accountancy |
    steuerberatung | steuerberater | buchhaltung | buchführung | buchführungskosten | abschlusskosten |
    honoraires comptables | comptable | expert comptable | comptabilité | frais comptables | gestoría | contabilidad |
    asesoría contable | asesoría fiscal | commercialista | boekhouding |
    contabilidade | contador`,
  legal: `legal | legal fees | legal services | legal expenses | legal costs | lawyer | lawyers | attorney | attorneys |
    law | solicitor | solicitors | rechtsberatung | anwalt | anwaltskosten | rechtskosten | rechtsanwalt | juridique |
    avocat | avocats | frais juridiques | frais d'avocat | notaire | abogado | abogados | gastos legales |
    servicios jurídicos | servicios legales | avvocato | spese legali |
    advogado | honorários advocatícios`,
  cogs: `cost of goods sold | cost of goods | cogs | cost of sales | cost of revenue | direct costs | goods | purchases |
    purchase of goods | materials | material | materials and supplies | supplies and materials | job supplies |
    job materials | raw materials | merchandise | products | goods for resale | wareneinkauf | wareneingang | waren |
    materialaufwand | materialkosten | achats de marchandises | marchandises | achats de matières premières |
    matières premières | achats | coût des ventes | mercancías | mercaderías | compra de mercaderías |
    compras de mercaderías | compras | coste de ventas | materiales | materias primas | merci`,
  stock: `inventory | inventories | inventory purchases | inventory asset | stock | stock purchases | lager | vorräte |
    warenbestand | lagerbestand | warenlager | stocks de marchandises | inventario | existencias | magazzino`,
  office: `office supplies | office supply | office | office expense | office expenses | office costs | stationery |
    printing and stationery | office materials | office supplies and software | printing | paper and printing |
    consumables | bürobedarf | büromaterial | büro | bürokosten | fournitures de bureau | fournitures | papeterie |
    bureau | frais de bureau | fournitures administratives | material de oficina | suministros de oficina | papelería |
    oficina | gastos de oficina | cancelleria | kantoorkosten |
    material de escritório | escritório`,
  payroll: `payroll | salary | salaries | wages | salaries and wages | wages and salaries | payroll salary and wages |
    payroll expenses | staff | staff costs | staff wages | staff salaries | staff pay | people | personnel | personnel costs |
    personnel expenses | employees | employee costs | employee wages | compensation | people costs | team costs | löhne |
    gehälter | löhne und gehälter | lohn und gehalt | gehalt | personalkosten | personalaufwand | salaires |
    salaires et traitements | rémunérations du personnel | rémunération du personnel | charges de personnel |
    frais de personnel | paie | nómina | nóminas | salarios | sueldos | sueldos y salarios | gastos de personal |
    personal empleados | stipendi | personele kosten`,
  // For money that arrives.
  income: `income | incomes | earnings | money in | money received | inflow | inflows | inflow ready to assign |
    ready to assign | incoming | all income | total income | einkommen | einnahmen | einkünfte | geldeingang |
    geldeingänge | revenus | revenu | rentrées | rentrées d'argent | entrées | ingreso | ingresos | entradas | entrate |
    reddito | inkomsten | inkomen | receitas | rendimentos`,
  otherIncome: `other income | misc income | miscellaneous income | other money in | other revenue | other revenues |
    interest and other income | other | misc | miscellaneous | sonstige einnahmen | sonstige erträge | sonstiges |
    weitere einnahmen | autres revenus | autres rentrées | autres produits | autre | autres | otros ingresos | otros |
    ingresos varios | altre entrate | altro | outras receitas | outros rendimentos`,
  refunds: `refund | refunds | reimbursement | reimbursements | refunds and reimbursements | returns | returned purchase |
    returned purchases | purchase returns | money back | rebate | rebates | credits | payments and credits |
    refunds and returns | erstattung | erstattungen | rückerstattung | rückerstattungen | rückzahlung | rückzahlungen |
    gutschrift | gutschriften | remboursement | remboursements | avoir | avoirs | retours | devolución | devoluciones |
    reembolso | reembolsos | abonos | rimborso | rimborsi | terugbetalingen`,
  benefits: `benefits | benefit | government benefits | state benefits | welfare | social benefits | government payments |
    government assistance | public assistance | benefits and allowances | universal credit | allowances | stimulus |
    sozialleistungen | staatliche leistungen | transferleistungen | allocation | allocations | allocations familiales |
    prestations sociales | aides sociales | aides | aides de l'état | caf | allocations et chômage | prestaciones |
    prestación | prestaciones y subsidios | subsidios | subsidio | ayudas | ayudas públicas | sussidi | uitkeringen`,
  pension: `pension | pensions | retirement | retirement income | pension income | annuity | annuities | rente | renten |
    altersrente | pensionen | retraite | retraites | pensions et retraites | jubilación | pensión | pensiones | pensione`,
  interestIn: `interest | interest income | interest earned | interest received | savings interest | bank interest |
    interest and dividends | interest and other income | dividends and interest | zinsen | zinserträge | zinseinnahmen |
    zinsen und dividenden | intérêts | intérêts perçus | intérêts et dividendes | produits financiers | intereses |
    intereses y dividendos | ingresos financieros | otros ingresos financieros | interessi | rente ontvangen`,
  dividends: `dividend | dividends | dividend income | dividends received | interest and dividends | dividenden |
    dividende | zinsen und dividenden | dividendes | intérêts et dividendes | revenus de valeurs mobilières | dividendos |
    intereses y dividendos | dividendi`,
  investmentIncome: `investment income | investments | investment | investment returns | capital gains | capital gain |
    passive income | gains | sale of investments | investing | kapitalerträge | kapitalgewinne | investitionen |
    geldanlage | wertpapiere | revenus de placements | placements | plus values | revenus financiers | rendimientos |
    inversiones | inversión | plusvalías | rendite | investimenti`,
  rentIn: `rental income | rent income | rent | rents | rent received | rental | rentals | property income |
    property rental | rental property | tenants | mieteinnahmen | mieteinkünfte | miete | mieten | mieterträge |
    vermietung | revenus locatifs | loyers | loyers perçus | revenus fonciers | alquiler | alquileres |
    ingresos por alquiler | ingresos por alquileres | rentas | affitti`,
  borrowed: `loan | loans | student loan | student loans | loan proceeds | loan disbursement | loan disbursements | loan received | loans received |
    loan from bank | loans from bank | borrowed money | borrowing | borrowings | loan funds | loans payable | bank loan |
    credit | darlehen | kredit | kredite | kreditauszahlung | darlehensaufnahme | prêt | prêts | emprunt | emprunts |
    emprunts auprès des établissements de crédit | emprunts bancaires | préstamo | préstamos | préstamos recibidos |
    préstamos bancarios | prestiti | finanziamenti`,
  sales: `sale | sales | sales revenue | sales income | product sales | sales of product income | sales of goods |
    sale of goods | revenue | revenues | turnover | gross sales | net sales | store sales | merchandise sales | trading income |
    customer payments | invoices | business income | business revenue | umsatz | umsätze | umsatzerlöse | erlöse |
    verkäufe | warenverkauf | warenverkäufe | vente | ventes | ventes de marchandises | ventes de produits |
    chiffre d'affaires | venta | ventas | ventas de productos | ventas de mercaderías | venta de mercaderías |
    facturación | vendite | ricavi | omzet`,
  serviceIncome: `services | service | service revenue | service income | services income | services revenue |
    sales of services | fees earned | fee income | client fees | consulting income | consulting | consulting revenue | professional income |
    client payments | client income | project income | dienstleistungen | dienstleistungserlöse |
    erlöse aus dienstleistungen | honorare | prestations de services | prestations | honoraires | prestations de service |
    prestación de servicios | prestaciones de servicios | servicios | ingresos por servicios | honorarios | servizi`,
  ownFunds: `owner contribution | owners contribution | owner contributions | owner investment | owners investment |
    owner investment drawings | owner funds introduced | funds introduced | capital introduced | capital contribution |
    capital contributions | owner equity | owners equity | owners capital | owner capital | money received from directors |
    directors loan | director loan | member contribution | member contributions | partner contributions |
    shareholder contribution | shareholder loan | privateinlage | privateinlagen | einlage | einlagen |
    gesellschafterdarlehen | apport | apports | apport en capital | compte courant d'associé |
    comptes courants d'associés | associés comptes courants | apport personnel | aportación | aportaciones |
    aportaciones de socios | conferimenti`,
};
