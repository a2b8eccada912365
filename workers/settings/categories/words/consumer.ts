// Words of customers for money that leaves a private person's account. How the lists are written: words.ts.

/** By our own category. */
export const consumerWords: Readonly<Record<string, string>> = {
  "atm/bank withdrawal": `cash | cash withdrawal | cash withdrawals | withdrawal | withdrawals | atm | atm withdrawal |
    atm withdrawals | atm cash | cash and atm | atms | cash out | cashpoint | cash machine | cash and checks | petty cash |
    cash spending | bargeld | bargeldabhebung | bargeldabhebungen | barabhebung | barabhebungen | abhebung | abhebungen |
    geldautomat | retrait | retraits | retrait d'espèces | retraits d'espèces | retrait dab | retraits dab | espèces |
    distributeur | cajero | cajeros | cajero automático | cajeros automáticos | retirada de efectivo |
    retiradas de efectivo | efectivo | reintegros | prelievo | prelievi | contanti | geldopname |
    saque | saques | levantamento | levantamentos | dinheiro vivo`,
  "app stores": `app store | apps | mobile apps | app purchases | in app purchases | apps and games | digital purchases |
    digital goods | applications | app käufe | applis | compras en aplicaciones | aplicaciones > software and apps |
    apps and software | games | gaming | digital > #subscriptions > media > online shopping > #leisure > #shopping > #lifestyle`,
  "auto lease payment": `car lease | auto lease | vehicle lease | car leasing | auto leasing | lease payments | leasing | lease |
    car payment | car payments | auto payment | auto payments | vehicle payment | car finance | autoleasing |
    leasingrate | leasingraten | location de voiture longue durée | renting | renting coche > auto loan | car loan |
    vehicle loan | vehicle finance > #car > #transport > #loans > #debt > #bills > #essentials`,
  "auto loan repayment": `auto loan | auto loans | car loan | car loans | vehicle loan | vehicle loans | auto loan payment |
    car loan payment | motorcycle loan | car payment | car payments | auto payment | auto payments | vehicle payment |
    car finance | vehicle finance | autokredit | autofinanzierung | crédit auto | prêt auto | crédit voiture |
    préstamo coche | préstamo del coche | financiación del coche > #loans > #debt > #car > #transport > #finance > #bills > #essentials`,
  "bank fee": `#bankFees > #fees > #finance > #overhead`,
  "books, newsletters, newspapers": `book | books | newspaper | newspapers | magazine | magazines | newspapers and magazines |
    magazines and newspapers | books and magazines | books and journals | books and newspapers | news | reading | textbooks |
    publications | periodicals | newsletters | ebooks | press | literature | books and media | books and supplies | bücher |
    buch | zeitschriften | zeitungen | zeitungen und zeitschriften | zeitschriften und bücher | livre | livres | journaux |
    presse | livres et presse | librairie | fachliteratur | fachbücher | journaux et magazines | libro | libros | revistas | prensa |
    libros y revistas | libri | giornali | boeken > media | medien | médias | medios > #subscriptions > #leisure > education > #shopping > #lifestyle`,
  "buy now, pay later": `bnpl | buy now pay later | pay later | installments | instalments | installment payments |
    installment plans | payment plans | ratenzahlung | ratenzahlungen | ratenkauf | ratenkäufe |
    paiement en plusieurs fois | paiements fractionnés | pago a plazos | pagos a plazos | compras a plazos
    > credit card payments | credit cards > #loans > #debt > #shopping > #finance > #bills`,
  "cafes and coffee shops": `coffee | coffees | cafe | cafes | coffee shop | coffee shops | coffee and tea | tea and coffee |
    coffee and snacks | coffee and cafes | cafes and coffee | kaffee | café | cafés | kaffee und snacks | cafés et bars |
    cafetería | cafeterías | caffè > snacks > #eatingOut > #food > #leisure > #lifestyle`,
  childcare: `child care | daycare | nursery | babysitter | babysitters | babysitting | babysitter and daycare | nanny |
    nannies | preschool | kindergarten | creche | after school care | kids care | childcare and education | kita |
    kinderbetreuung | tagesmutter | kinderkrippe | garderie | garde d'enfants | crèche | nounou | assistante maternelle |
    guardería | niñera | canguro | cuidado de niños | asilo | babysitter kita |
    babá | escolinha > #kids > #essentials`,
  clothing: `clothes | apparel | fashion | clothing and shoes | shoes | shoes and clothing | clothing and footwear |
    clothes and shoes | clothing and accessories | fashion and beauty | footwear | wardrobe | kleidung | bekleidung | klamotten |
    mode | schuhe | kleidung und schuhe | mode und schuhe | vêtement | vêtements | habillement | chaussures |
    vêtements et accessoires | mode et accessoires | ropa | moda | calzado | ropa y calzado | ropa y complementos |
    vestimenta | vestir | abbigliamento | kleding |
    roupa | roupas | vestuário | roupas e calçados | calçados > #shopping > #lifestyle`,
  "contribution to reserve fund": `emergency fund | emergency | rainy day fund | rainy day | reserve fund | reserve | reserves |
    savings account | savings transfer | savings transfers | savings contribution | savings contributions | to savings |
    transfer to savings | transfers to savings | saving pots | savings pots | pots | sinking fund | sinking funds | nest egg |
    notgroschen | sparbuch | sparkonto | sparplan | sparpläne | tagesgeld | rücklage | livret | livrets | livret a |
    fonds d'urgence | mise de côté | fondo de emergencia | hucha | #savings > savings and debt > wealth | goals > #investments
    > #internalTransfers > #transfers > #finance`,
  "convenience stores": `convenience | convenience store | corner shop | corner store | corner shops | kiosk | kiosks | newsagent |
    newsagents | kiosk und tankshop | kiosque | supérette | tabac | tienda de conveniencia | quiosco | estanco > #grocery > snacks > #food > #shopping > #essentials`,
  "council tax": `property tax | property taxes | rates | council rates | local tax | local taxes | municipal tax |
    real estate tax | real estate taxes | business rates | grundsteuer | taxe foncière | taxe d'habitation | ibi |
    impuesto de bienes inmuebles > #taxes > #bills > #government > #home > #essentials`,
  "credit card bill": `credit card | credit cards | credit card payment | credit card payments | credit card bills |
    credit card repayment | credit card repayments | credit card payable | cc payment | card repayment | card repayments |
    card bill | kreditkarte | kreditkarten | kreditkartenabrechnung | kreditkartenzahlung | carte de crédit |
    cartes de crédit | remboursement carte de crédit | tarjeta de crédito | tarjetas de crédito | pago de tarjeta |
    pago tarjeta de crédito | carta di credito |
    cartão de crédito | fatura do cartão | fatura do cartão de crédito > #debt > #loans > #transfers > #finance > #bills`,
  "credit card fee": `credit card fees | card fee | card fees | annual fee | annual card fee | late fee | late fees |
    cash advance fee | foreign transaction fee | kreditkartengebühr | kreditkartengebühren | frais de carte |
    cotisation carte | comisión de tarjeta | cuota de tarjeta > #bankFees > #fees > #finance`,
  "credit report": `credit reports | credit score | credit monitoring | credit check | credit checks | identity protection |
    schufa | bonitätsauskunft > #finance > #services > #subscriptions`,
  "debt collection": `collections | collection agency | collection agencies | debt collector | inkasso | recouvrement |
    cobro de deudas | recobro > #debt > #loans > #finance > #bills`,
  "department and discount stores": `department store | department stores | discount store | discount stores | superstores |
    big box stores | general merchandise | variety stores | superstore | kaufhaus | kaufhäuser | warenhaus | discounter |
    grands magasins | grand magasin | grandes almacenes | grande distribution > #shopping > household goods | home goods > #lifestyle`,
  donation: `donations | charity | charities | charitable | charitable giving | charitable donations | charitable donation |
    charitable contribution | charitable contributions | charitable and political donations | church | tithe | tithes |
    tithing | church and charity | non profit | nonprofit | nonprofits | philanthropy | zakat | good causes | offerings |
    spende | spenden | wohltätigkeit | kirche | kirchensteuer und spenden | don | dons | dons et associations |
    associations | œuvres | bienfaisance | donación | donaciones | donativo | donativos | caridad | beneficencia | ong |
    iglesia | solidaridad | donazioni | beneficenza | goede doelen | giving back | #giving |
    doação | doações | caridade > government and non profit`,
  "drugstores and pharmacies": `pharmacy | pharmacies | drugstore | drugstores | drug store | chemist | chemists | medicine |
    medicines | medication | medications | prescriptions | prescription | apotheke | apotheken | drogerie | drogerien |
    medikamente | drogerie und apotheke | arzt und apotheke | pharmacie | pharmacies et parapharmacie | médicaments |
    parapharmacie | farmacia | farmacias | medicamentos | parafarmacia | salud y farmacia | farmaci |
    farmácia | farmácias | remédios > #health > medical | medical bills |
    doctor | doctors > personal care | toiletries | health and beauty > #essentials > #shopping`,
  education: `school | schools | schooling | tuition | tuition fees | school fees | university | universities | college |
    student | studies | study | training | trainings | learning | training and education | education and training | staff training |
    employee training | professional development | personal development | continuing education | conferences | seminars |
    workshops | training and conferences | online courses | childcare and education | bildung | ausbildung |
    weiterbildung | fortbildung | fortbildungen | fortbildungskosten | schule | schulen | studium | schule und fortbildung |
    bildung und weiterbildung | éducation | scolarité | formation | formations | école | écoles | études |
    frais de scolarité | documentation formation | educación | formación | colegio | colegios | escuela | universidad |
    estudios | cursos | educación y formación | istruzione | scuola | onderwijs |
    educação | escola e faculdade | faculdade > books > #essentials`,
  electronics: `electronic | computers | laptops | gadgets | devices | computer hardware | hardware | computers and electronics |
    electronics and software | electronics and computers | electronics and gadgets | tech and gadgets | consumer electronics | it equipment |
    computer equipment | computer replacement | software and tech | elektronik | elektronik und computer | multimedia |
    unterhaltungselektronik | électronique | high tech | hightech | matériel informatique | electrónica |
    electrónica e informática | elettronica | #tech |
    eletrônicos | eletrónica > equipment | office equipment > #shopping > #lifestyle`,
  "entertainment and recreation": `#leisure > going out | outings | nights out | sorties | ausgehen | salir | events | event | activities | hobbies | hobby | movies | cinema | nightlife |
    culture | kultur | kino | culture et loisirs | cultura | cine | eventos > #lifestyle`,
  firearms: `firearm | guns | gun | guns and ammo | ammunition | weapons | hunting | shooting sports | waffen | jagd | armes |
    chasse | armas | caza | armi > sporting goods | hobbies | hobby > #shopping`,
  "food and drink": `#eatingOut | meals | takeaways and meals out | food and drink > food and dining | #food > meals and entertainment
    > bars | bar > #leisure > #lifestyle`,
  fuel: `gas station | gas stations | gasoline | =gas | petrol | petrol station | petrol stations | diesel | fuels |
    gas and fuel | fuel and gas | auto gas | car gas | gas auto | gas for car | gas and oil | gas and parking | gas and tolls |
    fuel and mileage | fuel mileage | vehicle fuel | car fuel | fuel costs | ev charging | vehicle charging | tanken | benzin |
    sprit | kraftstoff | kraftstoffe | treibstoff | tankstelle | tankstellen | benzinkosten | tankkosten |
    carburant | carburants | gazole | gasoil | gasolina | gasolineras | gasolinera | combustible | combustibles |
    carburante | benzina | brandstof |
    combustível | combustíveis | posto de gasolina > auto and mileage | mileage | motor expenses | motor vehicle expenses | #car > #transport > #essentials`,
  "funerals and bequests": `funeral | funerals | funeral services | funeral expenses | funeral costs | burial | bequests |
    bestattung | bestattungen | beerdigung | obsèques | funérailles | pompes funèbres | funerales | gastos funerarios |
    entierro > #services > family`,
  gambling: `gamble | betting | bets | lottery | lotteries | casino | casinos | betting and gambling | lotto | wetten |
    glücksspiel | glücksspiele | lotterie | jeux d'argent | jeux de hasard | loterie | apuestas | lotería | loterías |
    juego | juegos de azar | loterías y apuestas | scommesse | gioco d'azzardo > #leisure > #lifestyle`,
  gifts: `gift | presents | present | birthdays | birthday | birthday presents | christmas | christmas presents | gifts given |
    gifts and flowers | flowers | gifts and celebrations | celebrations | gifts to clients | client gifts | gifting | geschenk |
    geschenke | cadeau | cadeaux | regalo | regalos | regali | cadeaus | #giving |
    presentes | presente > giving | charity and gifts > #shopping > #lifestyle`,
  government: `#government > #taxes > #fees`,
  groceries: `#grocery > food and household | household groceries | haushalt und lebensmittel | food and cleaning
    > food and dining | #food > household | household supplies > #essentials > #shopping`,
  "home improvements and maintenance services": `home improvement | home improvements | home repair | home repairs |
    home maintenance | house repairs | house maintenance | home upkeep | home services | home maintenance and repairs |
    home improvement and maintenance | diy | furniture | furnishings | home furnishings | home and furniture | renovation |
    renovations | remodeling | household repairs | hardware store | hardware stores | garden | gardening | lawn and garden |
    handwerker | renovierung | renovierungen | reparaturen | instandhaltung | baumarkt | heimwerken | möbel |
    möbel und einrichtung | einrichtung | wohnen und einrichten | garten | bricolage | travaux | travaux maison |
    bricolage et jardinage | entretien et réparations | entretien maison | ameublement | mobilier |
    meubles | jardin | jardinage | maison et jardin | bricolaje | reformas | reformas del hogar | muebles | jardín |
    mantenimiento del hogar | reparaciones del hogar | arredamento |
    manutenção da casa | obras > repairs | repairs and maintenance | maintenance | #home > household | household goods | haushalt > #essentials > #shopping`,
  "hotels and lodging": `hotel | hotels | lodging | accommodation | accommodations | lodgings | travel lodging | travel hotel |
    travel hotels | travel accommodation | hotels and accommodation | travel and lodging | vacation rentals | vacation rental | airbnb |
    unterkunft | unterkünfte | übernachtung | übernachtungen | übernachtungskosten | hébergement | hébergements | hôtel |
    hôtels | alojamiento | alojamientos | hotel y alojamiento | hoteles | hospedaje | alloggio | alberghi > #travel > #lifestyle`,
  insurance: `insurances | insurance premium | insurance premiums | insurance payments | business insurance | insurance costs |
    insurance and protection | versicherung | versicherungen | versicherungsbeiträge | betriebliche versicherungen |
    versicherungen und finanzen | assurance | assurances | assurances et mutuelles | primes d'assurance | seguro | seguros |
    primas de seguros | assicurazione | assicurazioni | verzekeringen > insurance and finance > #bills > #finance > #essentials`,
  "inter account transfer": `transfer out | transfers out | outgoing transfer | outgoing transfers | external transfer |
    external transfers | wire | wires | wire transfer | wire transfers | money sent | überweisung ausgang | virement émis |
    virements émis | transferencias enviadas | transferencias emitidas | #transfers > #internalTransfers`,
  interest: `interest paid | interest expense | interest expenses | interest payable | interest payment | interest payments |
    interest charges | interest costs | interest and charges | interest and fees | loan interest | credit card interest | mortgage interest |
    zinsen | zinsaufwand | zinsaufwendungen | sollzinsen | zinskosten | kreditzinsen | intérêts | charges d'intérêts |
    intérêts payés | intérêts d'emprunt | charges financières | agios | intereses | intereses pagados |
    intereses de préstamos | intereses de deudas | gastos financieros | interessi passivi > #bankFees > #fees > #loans > #debt > #finance`,
  "intra account transfer": `#internalTransfers > savings transfer | savings transfers > transfer out | transfers out | #transfers`,
  investment: `#investments > savings and investments | #savings > savings and debt > #finance`,
  laundry: `laundry and dry cleaning | dry cleaning | dry cleaner | laundromat | launderette | dry cleaning and laundry | wäsche |
    wäscherei | reinigung | textilreinigung | pressing | blanchisserie | laverie | lavandería | tintorería | lavanderia >
    clothing and laundry > cleaning > personal care > #services > #home > #essentials`,
  "legal services": `#legal > legal and accounting | rechts und beratungskosten | #professional > #services`,
  liquor: `alcohol | liquor store | liquor stores | alcohol and bars | bars and alcohol | beer and wine | beer wine and spirits |
    wine | wine and beer | beer | spirits | drinks | pubs | pub | bars | bar | bars and nightlife | alcohol and tobacco | off licence | alkohol | getränke | bier und wein |
    kneipe | bar und kneipe | alcool | alcools | vins | vins et spiritueux | bars et boîtes | boissons | bebidas |
    bebidas alcohólicas | vinos y licores | copas | alcolici > #food > #grocery > #eatingOut > #lifestyle > #shopping`,
  "loan repayment": `#loans > #debt > #finance > #bills > #essentials`,
  media: `streaming | tv | television | streaming services | tv and streaming | tv licence and streaming | tv licence |
    movies and music | music and movies | music and video | movies and tv | media and entertainment | cable | cable tv | tv and cable |
    digital media | news and media | video streaming | netflix and spotify | medien | fernsehen | rundfunkbeitrag | gez |
    streamingdienste | streaming dienste | medien und telekommunikation | medien und streaming | média | médias |
    télévision | vod | streaming et vod | musique et vidéo | medios | televisión | streaming y tv | música y vídeo |
    plataformas de streaming > #subscriptions > #leisure > #lifestyle > #bills`,
  "medical bill": `medical | medical bills | medical expenses | medical costs | medical care | medical and dental | doctor | doctors |
    doctor visits | doctor and dentist | doctors and dentists | hospital | hospitals | health expenses | medical and pharmacy |
    arzt | ärzte | arztkosten | arzt und apotheke | arztrechnungen | krankenhaus | médecin | médecins | soins médicaux |
    frais médicaux | frais de santé | hôpital | médico | médicos | gastos médicos | sanidad | atención médica |
    salud y farmacia | spese mediche | medici | #health |
    consultas médicas | plano de saúde > #essentials`,
  mortgage: `mortgages | mortgage payment | mortgage payments | home loan | home loans | house payment | house payments |
    mortgage and rent | rent and mortgage | mortgage or rent | rent or mortgage | hypothek | hypotheken | baufinanzierung |
    immobilienkredit | hauskredit | crédit immobilier | prêt immobilier | emprunt immobilier | hypothèque | crédit maison |
    hipoteca | hipotecas | alquiler o hipoteca | mutuo | hypotheek |
    financiamento imobiliário | crédito habitação | prestação da casa > housing payment | housing costs | #home > #loans > #bills > #essentials > #debt`,
  "non-sufficient funds / overdraft fee": `overdraft | overdraft fee | overdraft fees | overdraft charges | nsf | nsf fee | nsf fees |
    insufficient funds | returned payment fee | returned payments | überziehung | überziehungszinsen | dispozinsen |
    dispokosten | rücklastschriftgebühr | découvert | frais de découvert | frais de rejet | descubierto |
    comisión por descubierto | descubiertos > #bankFees > #fees > #finance`,
  "other consumer services": `#services > professional services > #other`,
  "other non-essential": `non essentials | other non essentials | other shopping | other discretionary > #other > #shopping > #lifestyle`,
  "other transport": `other transportation | #transport > #travel > #car > #essentials`,
  "pawn shops": `pawn shop | pawnshop | pawnshops | pawnbroker | pawn | pfandhaus | leihhaus | mont de piété | prêteur sur gages |
    casa de empeño | casas de empeño`,
  "peer to peer transfer": `p2p | peer to peer | p2p payments | person to person | friends and family | =friends | to friends |
    payments to friends | payments to people | money to friends | split bills | venmo | zelle | cash app | bizum | lydia |
    freunde | freunde und familie | amis | amigos > transfer out | transfers out | outgoing transfers | money sent | #transfers`,
  pets: `pet | pet care | pet supplies | pet food | pet food and supplies | pet expenses | animals | animal | pets and animals | pets and vet |
    vet and pets | dog | dogs | cat | cats | dog and cat | haustier | haustiere | tier | tiere | tierbedarf | hund | katze | animaux |
    animaux domestiques | animaux de compagnie | chien | chat | mascota | mascotas | perro | gato | animales | animali |
    animali domestici | huisdieren |
    animais de estimação | animais > veterinary | vet | tierarzt | vétérinaire | veterinario > household > #shopping`,
  prenote: `prenotification | prenotes | account verification`,
  "public transport": `public transportation | public transit | transit | bus | buses | train | trains | bus and train |
    buses and trains | trains and buses | bus train and metro | train tickets | train and bus | metro | subway | underground | tram | ground transportation |
    travel ground transportation | public transport tickets | commuting | commute | öpnv | öffentlicher nahverkehr |
    öffentliche verkehrsmittel | öffentlicher verkehr | öffis | bahn | bus und bahn | nahverkehr | bahn und bus |
    transports en commun | transport en commun | transports publics | transport public | train et métro | trains et bus |
    transporte público | metro y autobús | autobús | autobuses | trenes | tren | trasporto pubblico | mezzi pubblici | openbaar vervoer |
    transportes públicos | ônibus e metrô | metrô > #transport > #travel > #essentials`,
  "recreational goods": `sporting goods | sports equipment | sports goods | hobby | hobbies | hobbies and crafts | arts and crafts | crafts |
    toys | toys and games | toys and hobbies | games and toys | musical instruments | outdoor gear | hobbys | spielzeug | spielwaren |
    sportartikel | bastelbedarf | jouets | jeux et jouets | passe temps | articles de sport | juguetes |
    artículos deportivos | aficiones | hobbies y aficiones | giocattoli > #shopping > #leisure > #lifestyle`,
  "rent and property management fee": `rent | rents | rental | rent payment | rent payments | house rent | home rent | apartment rent |
    rent and mortgage | mortgage and rent | rent or mortgage | rent and utilities | housing rent | property management |
    hoa | hoa fees | hoa dues | homeowners association | rent and bills | miete | mieten | kaltmiete | warmmiete | mietkosten |
    miete und nebenkosten | loyer | loyers | loyer et charges | alquiler | alquiler o hipoteca | arriendo | renta | affitto |
    huur |
    aluguel | aluguer | condomínio | aluguel e condomínio > accommodation > housing payment | housing costs | #home > #bills > #essentials`,
  "rent to own": `rent to buy | lease to own | hire purchase | mietkauf | location avec option d'achat | alquiler con opción a compra
    > installments | instalments > furniture > #shopping`,
  "retirement contributions": `retirement | retirement savings | retirement contribution | retirement plan | retirement account |
    retirement accounts | pension | pensions | pension contributions | pension contribution | pension costs | pensions costs |
    401k | ira | roth ira | 401k and ira | superannuation | altersvorsorge | private altersvorsorge | rentenversicherung |
    riester | betriebliche altersvorsorge | retraite | épargne retraite | plan de pensiones | planes de pensiones |
    jubilación | ahorro para la jubilación | pensione | pensioen > savings and investments | #savings > #investments > savings and debt
    > employee benefits > #finance`,
  "reversal / adjustment": `reversal | reversals | adjustment | adjustments | reversals and adjustments | correction |
    corrections | fees and adjustments | chargeback | chargebacks | storno | stornos | stornierung | korrektur |
    korrekturen | annulation | annulations | régularisation | régularisations | ajuste | ajustes | correcciones`,
  "ridesharing and taxis": `taxi | taxis | cab | cabs | rideshare | ride share | ridesharing | ride sharing | ride hailing |
    rideshare and taxi | rideshare and taxis | taxi and rideshare | taxis and rideshare | uber | uber and taxi | uber and taxis | taxi and uber |
    taxi und mitfahrdienste | mitfahrdienste | vtc | taxi et vtc | taxis et vtc | taxi y vtc | taxis y vtc |
    táxi | uber e táxi > ground transportation | travel ground transportation > #transport > public transport | public transportation |
    transports en commun | transporte público > #travel > #essentials`,
  "saas tools": `#saas > #tech > #subscriptions > #office`,
  "self care": `personal care | beauty | beauty and care | hair | haircut | haircuts | hairdresser | hairdressers | barber | hair and beauty |
    hair and makeup | beauty and hair | beauty and personal care | personal care and beauty | health and beauty | cosmetics | grooming | spa |
    spa and massage | toiletries | hygiene | personal hygiene | body care | self care and beauty | körperpflege | pflege |
    friseur | friseure | kosmetik | friseur und kosmetik | schönheit | beauty und wellness | hygieneartikel | beauté | coiffeur | coiffure | soins |
    soins personnels | esthétique | esthétique et soins | beauté et bien être | hygiène | peluquería | peluquerías | belleza |
    cuidado personal | belleza y peluquería | peluquería y estética | estética | higiene | cura della persona | bellezza |
    verzorging |
    cuidados pessoais | beleza | beleza e cuidados pessoais > personal and lifestyle > wellness | health and wellness | wellbeing > personal > #health > #shopping > #lifestyle`,
  "sport and fitness": `sport | sports | fitness | gym | gyms | gym membership | gym and fitness | sports and fitness |
    fitness and sports | sport and leisure | sports and hobbies | exercise | workout | yoga | sports club | fitnessstudio |
    sport und fitness | sportverein | verein | vereine | salle de sport | sport et fitness | sports et loisirs | deporte |
    deportes | gimnasio | gimnasios | deporte y gimnasio | palestra | sport e palestra |
    ginásio | esportes | desporto > health and fitness | #health > #leisure > #lifestyle`,
  "student loan repayment": `student loan | student loans | student loan payment | student loan payments | student debt |
    education loan | education loans | college loan | bafög | bafög rückzahlung | studienkredit | prêt étudiant |
    prêts étudiants | préstamo de estudios | préstamo estudiantil > #loans > #debt > #finance > #bills > #essentials`,
  taxes: `#taxes > #government`,
  "toll charge": `toll | tolls | toll charges | tolls and parking | parking and tolls | parking tolls | travel parking and tolls | road tolls | maut | mautgebühren |
    maut und parken | péage | péages | péages et parking | parking et péages | peaje | peajes | peajes y parking |
    parking y peajes | pedaggi | pedaggio > parking > #car > #transport > #travel > #essentials`,
  "towing companies": `towing | tow | roadside assistance | breakdown cover | abschleppdienst | pannenhilfe | dépannage |
    remorquage | grúa | asistencia en carretera | soccorso stradale > #carCare | #car > #transport`,
  "trading (crypto)": `crypto | cryptocurrency | cryptocurrencies | crypto trading | bitcoin | digital assets | krypto |
    kryptowährung | kryptowährungen | cryptos | cryptomonnaie | cryptomonnaies | cripto | criptomonedas | criptovalute
    > trading > #investments > #savings > #finance`,
  "trading (non-crypto)": `trading | stock trading | stocks | stocks and shares | brokerage | securities | shares | aktien |
    aktienkäufe | wertpapiere | actions et bourse | bourse | bolsa | acciones | azioni > #investments > #savings > #finance`,
  utilities: `#utilities | rent and utilities > utilities and telecom > #bills > #home > #essentials`,
  "vehicle maintenance": `#carCare > #car > #transport > #essentials`,
  "ecommerce purchase": `ecommerce | online shopping | online purchases | online purchase | online orders | internet shopping |
    internet purchases | amazon | onlineshopping | online einkäufe | onlinekäufe | internetkäufe | achats en ligne |
    achats internet | compras online | compras por internet | compras en línea | acquisti online > #shopping > #lifestyle`,
};
