// Words that name a part of one of our categories only: `car insurance` is no word for all insurance. Nothing is told in
// them, none of their words is taken for something else, and a set that has such a part has no other word for the whole
// that only sounds like it. How the lists are written: words.ts.

/** By our own category; for either direction. The last list belongs to none. */
export const narrowerWords: Readonly<Record<string, string>> = {
  insurance: `car insurance | auto insurance | vehicle insurance | motor insurance | health insurance | medical insurance |
    life insurance | home insurance | house insurance | homeowners insurance | renters insurance | rental insurance |
    contents insurance | pet insurance | travel insurance | dental insurance | liability insurance | property insurance |
    workers compensation | kfz versicherung | autoversicherung | krankenversicherung | haftpflichtversicherung |
    lebensversicherung | hausratversicherung | rechtsschutzversicherung | assurance auto | assurance voiture |
    assurance habitation | assurance maison | assurance vie | assurance santé | mutuelle | mutuelle santé |
    seguro de coche | seguro del coche | seguro de hogar | seguro del hogar | seguro de salud | seguro de vida | seguro médico`,
  utilities: `electricity | electric | electric bill | electricity bill | water | water bill | heating | heat | heat and gas |
    gas and heat | trash | garbage | sewer | sewage | waste | gas bill | natural gas | wasser | heizung | müll | müllabfuhr |
    abwasser | eau | électricité | gaz | chauffage | agua | luz | electricidad | calefacción | basura`,
  telecom: `land line | landline | home phone | telephone land line | telephone wireless`,
  "other transport": `airfare | flights | flight | airline | airlines | airline tickets | air travel | plane | planes | plane tickets |
    travel airfare | car rental | car hire | rental car | travel car rental | parking | bicycle | bike | bikes | cycling | ferry | car phone |
    flüge | flugtickets | mietwagen | parken | fahrrad | avion | billets d'avion | location de voiture | vélo | vuelos |
    alquiler de coche | alquiler de coches | bicicleta | aparcamiento`,
  "vehicle maintenance": `car wash | car washes | tires | tyres | waschanlage | reifen`,
  "medical bill": `dentist | dentists | dental | dental care | eye care | eyecare | glasses | optician | opticians | vision |
    therapy | therapist | physiotherapy | zahnarzt | zahnärzte | optiker | brille | psychotherapie | dentiste | dentistes |
    opticien | optique | kiné | dentista | óptica | psicólogo`,
  "entertainment and recreation": `music | movie tickets | movies and games | games | video games | gaming | concerts | concert tickets |
    theater | theatre | musik | konzerte | spiele | musique | jeux | jeux vidéo | música | videojuegos | conciertos`,
  clothing: `kids clothes | kids clothing | childrens clothes | childrens clothing | baby clothes | work clothes | uniforms | jewelry |
    jewellery | watches | kinderkleidung | schmuck | vêtements enfants | bijoux | ropa de niños | joyas`,
  childcare: `baby supplies | diapers | school supplies | school lunch | school lunches | school bus | kids activities |
    summer camp | camps | windeln | couches | pañales`,
  benefits: `payroll taxes | payroll tax | payroll employers share of taxes | lohnsteuer`,
  "government benefits": `child benefit | child benefits | kindergeld | elterngeld | wohngeld | bafög`,
  education: `music lessons | driving school | fahrschule | auto école | autoescuela`,
  "": `depreciation | depreciation expense | amortization | amortisation | abschreibung | abschreibungen | amortissements |
    amortización | amortizaciones | bad debt | bad debts | exchange gain | gain on foreign exchange | foreign exchange | home office |
    office cleaning | office furniture | rent deposit | security deposit | shipping income | gift card | gift cards |
    gift received | gifts received | loan fees | tax preparation | tax advisor | tax software | home security | computer repair | bike repair |
    phone repair | shoe repair`,
};
