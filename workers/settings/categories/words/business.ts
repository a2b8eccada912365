// Words of customers for money that leaves a company's account, where consumers have no category of the same name. How the
// lists are written: words.ts.

/** By our own category. */
export const businessWords: Readonly<Record<string, string>> = {
  advertising: `online ads | ad spend | media buying | paid media | onlinewerbung | #ads > #marketing > #overhead`,
  marketing: `#marketing > #ads > #overhead`,
  "payment processing fee": `payment processing | payment processing fees | merchant fees | merchant fee | merchant account fees |
    merchant services | merchant and bank fees | processing fees | card processing | card processing fees | credit card processing |
    credit card processing fees | transaction fees | payment fees | gateway fees | stripe fees | paypal fees |
    zahlungsgebühren | transaktionsgebühren | zahlungsdienstleister | paypal gebühren | frais de paiement |
    frais de transaction | commissions de paiement | comisiones de pago | comisiones tpv | comisiones pasarela de pago
    > #bankFees > #fees > #finance`,
  "cloud infrastructure": `cloud | hosting | web hosting | cloud hosting | cloud services | cloud computing | servers | server |
    server costs | hosting and servers | servers and hosting | infrastructure | hosting and domains | domains and hosting | website hosting | computer hosting |
    website | aws | iaas | webhosting | serverkosten | hébergement web | serveurs | hébergement site web | alojamiento web |
    servidores > #tech > #saas > cost of revenue | cost of sales | cost of goods sold`,
  subscriptions: `#subscriptions > #saas > media`,
  contractors: `contractor | contractor fees | subcontractor | subcontractors | subcontractor costs | subcontracted services |
    subcontracting | freelancer | freelancers | freelance | contract labor | contract labour | independent contractors | outsourcing |
    outsourced services | fremdleistung | fremdleistungen | subunternehmer | freie mitarbeiter | sous traitance |
    sous traitant | sous traitants | prestataires | subcontratación | subcontratas | subcontratistas | autónomos |
    colaboradores externos | collaboratori trabajos realizados por otras empresas
    > labor | labour | cost of labor > outside services | #professional`,
  payroll: `#payroll | salários | folha de pagamento > labor | labour > employee benefits`,
  benefits: `employee benefits | staff benefits | payroll employee benefits | employee welfare | staff welfare | perks |
    employee perks | employee health insurance | social security | social security costs | employer nics | employer taxes |
    pension costs | sozialabgaben | sozialversicherung | soziale abgaben | sozialaufwand | lohnnebenkosten |
    gesetzliche soziale aufwendungen | charges sociales | cotisations sociales | avantages sociaux |
    seguridad social | seguridad social a cargo de la empresa | beneficios sociales | oneri sociali |
    sozialversicherungsbeiträge | beiträge zur sozialversicherung > payroll | payroll expenses | staff | staff costs | personnel |
    personnel costs | employee costs | people | people costs | personalkosten | personalaufwand | charges de personnel |
    frais de personnel | gastos de personal`,
  goods: `#cogs > #stock > #shopping`,
  inventory: `#stock > #cogs`,
  shipping: `postage | freight | delivery | courier | couriers | shipping and delivery | shipping freight and delivery |
    freight and courier | freight and delivery | freight in | freight out | freight and shipping | postage and delivery |
    postage and courier | postage freight and courier | postage and shipping | shipping and postage | delivery and postage | shipping costs | mail | post | logistics |
    fulfillment | fulfilment | porto | versand | versandkosten | porto und versand | fracht | frachtkosten | logistik |
    ausgangsfrachten | frais postaux | frais de port | affranchissement | livraison | livraisons | expédition |
    transport sur achats et livraisons | transport de biens | frais d'expédition | envío | envíos | gastos de envío |
    correo | correos | mensajería | portes | transporte de mercancías | spedizioni | verzending | transportes de mercancías > freight and transport`,
  equipment: `office equipment | computer equipment | computer hardware | hardware | it equipment | small equipment |
    tools and equipment | small tools | equipment and furniture | furniture and equipment | furniture and fixtures |
    machinery | machinery and equipment | plant and machinery | fixed assets | capital expenditure | capex | equipment purchase |
    ausrüstung | betriebsausstattung | büroausstattung | geräte | maschinen | werkzeuge |
    geringwertige wirtschaftsgüter | gwg | anlagevermögen | équipement | équipements | petit équipement |
    matériel | matériel de bureau | matériel informatique | outillage | immobilisations | equipo | equipos | maquinaria |
    mobiliario | equipos informáticos | herramientas | inmovilizado | attrezzature > electronics | electronics and computers | laptops | computers and laptops | #tech > #office`,
  "office supplies": `#office > supplies > #overhead`,
  "legal and accounting": `legal and professional fees | legal and professional services | legal and professional | legal accounting |
    rechts und beratungskosten | asesoría legal y contable | #accounting | #legal > #professional > #services > #overhead`,
  "professional services": `#professional > #legal | #accounting > #services > #overhead`,
  rent: `rent expense | rent and lease | rent or lease | rent and rates | rents | office rent | office lease | lease | leases | rental | rental expense |
    rent and utilities | building rent | premises | premises costs | office space | coworking | coworking space | raumkosten |
    miete | mieten | miete büro | büromiete | raummiete | pacht | miete und pacht | loyer | loyers | =location | =locations | locations immobilières |
    loyers et charges | bail | alquiler | alquileres | arrendamiento | arrendamientos | alquiler de oficina | affitto |
    affitti | huur |
    aluguel | aluguer | aluguel do escritório > facilities | occupancy | occupancy costs | #home > #bills > #overhead > #essentials`,
  "repairs and maintenance": `repair | repairs | maintenance | repair and maintenance | maintenance and repairs | maintenance and repair |
    equipment repairs | building maintenance | upkeep | reparatur | reparaturen | instandhaltung |
    reparatur und instandhaltung | reparaturen und instandhaltung | wartung | wartung und reparatur | entretien |
    réparations | entretien et réparations | maintenance et réparations | entretien réparations | reparaciones |
    mantenimiento | reparaciones y mantenimiento | reparaciones y conservación | manutenzione > home maintenance |
    home repairs | cleaning and maintenance | cleaning > facilities > #home`,
  telecom: `telecoms | telecommunication | telecommunications | phone | phones | phone bill | phone bills | telephone |
    telephones | phone and internet | internet and phone | telephone and internet | internet and telephone |
    mobile and internet | internet and mobile | phone internet and tv | internet and tv | tv and internet |
    communications | communication | utilities and phone | telefon | telefon und internet | internet und telefon |
    telekommunikation | handy und internet | kommunikation | medien und telekommunikation | telefonkosten | télécom |
    télécoms | téléphone | téléphone et internet | internet et téléphone | télécommunications |
    frais de télécommunications | frais postaux et télécommunications | mobile et internet | téléphonie | teléfono |
    teléfonos | teléfono e internet | internet y teléfono | telefonía | telefonía e internet | telecomunicaciones |
    comunicaciones | telefonia | telefoon en internet |
    telefone e internet | celular | telemóvel | internet e telefone > mobile | mobiles | mobile phone | mobile phones | cell phone |
    cell phones | cellphone | wireless | internet | broadband | handy | mobilfunk | forfait mobile | móvil
    > rent and utilities | #utilities > #bills > #tech > #essentials`,
  travel: `business travel | travel expenses | travel expense | travel costs | travel and lodging | travel and accommodation |
    travel and transport | travel and transportation | reisekosten | dienstreisen | geschäftsreisen | reisespesen |
    voyages et déplacements | déplacements | frais de déplacement | frais de déplacements | déplacements et missions |
    gastos de viaje | viajes y desplazamientos | desplazamientos | viajes de negocios | trasferte | #travel |
    viagens | despesas de viagem > #transport`,
  "meals and entertainment": `meals | business meals | client meals | staff meals | meals and dining | meals client | meals employee |
    business entertaining | business entertainment | entertaining | client entertainment | client entertaining | hospitality |
    entertainment meals | accommodation and meals | bewirtung | bewirtungskosten | geschäftsessen | repas | repas d'affaires | réceptions | réception |
    missions et réceptions | frais de représentation | frais de réception | frais de repas | comidas |
    comidas de negocios | comidas de empresa | gastos de representación | atenciones a clientes | dietas |
    spese di rappresentanza > #eatingOut > food and dining | #food > #leisure > #lifestyle`,
  vehicle: `mileage | auto and mileage | motor expenses | motor vehicle expenses | vehicle expenses | car and truck expenses |
    automobile expense | car expenses | auto expenses | fleet | kfz kosten | fahrzeugkosten | firmenwagen |
    frais de véhicule | frais kilométriques | gastos de vehículo | vehículo de empresa | #car > #carCare > #transport > #travel`,
  "owner draw": `owner draws | owners draw | owners draws | draw | draws | drawings | owner drawings | owners drawings | owner pay |
    owners pay | owner pay and personal expenses | owner withdrawal | owner withdrawals | owner compensation | distributions |
    shareholder distributions | member distributions | partner draws | directors drawings | privatentnahme |
    privatentnahmen | entnahme | entnahmen | prélèvements de l'exploitant | compte de l'exploitant |
    rémunération du dirigeant | retiros del propietario | retiro del titular | retiro de socios | prelievi titolare
    > dividend | dividends | dividends paid > owner equity | equity > personal expenses | personal`,
  refund: `refunds | customer refunds | refunds given | refunds to customers | refunds and returns | returns | sales returns |
    returns and allowances | sales refunds | chargebacks | erstattungen | rückerstattungen | kundenerstattungen |
    erlösschmälerungen | retouren | remboursements | remboursements clients | avoirs clients | devoluciones |
    reembolsos | devoluciones de ventas | rimborsi`,
};
