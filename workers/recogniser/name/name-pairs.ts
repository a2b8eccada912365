// What usually follows a word in the name of a shop, a practice or a society: a field that is too narrow leaves a letter or
// two of it, and the word before decides which word it was (`BAIT & TAC` → tackle). Hand-written; all folded; an AND between
// the two does not count. A line is a word and what may follow it, the more frequent of equal beginnings first.
import { type WordMap, wordMap } from "../text/word-map.ts";
const PAIRS = `
bait tackle
heating air cooling plumbing
cooling heating
air conditioning
hvac services plumbing
plumbing heating drain
sewer drain
septic service services
lawn care landscape landscaping garden service
tree service services care
landscape supply design
landscaping design
pest control solutions management
window cleaning tinting washing cleaners
carpet cleaning
house cleaning
gutter cleaning
pressure washing
power washing light company
chimney sweep
pool service services supply spa
garage doors door
overhead door
appliance repair service parts
roofing siding construction
kitchen bath
cabinet shop
paint body decorating
glass mirror
lock key safe
towing recovery
tire auto service center lube
tires wheels service
lube tire
body shop works
auto body repair parts sales glass care service detail salvage wash
muffler brake brakes
brake muffler alignment
transmission service specialists repair
car wash care
truck stop wash repair service center
engine repair
diesel repair service
feed seed supply grain
farm supply ranch market home equipment
farmers market exchange coop union
ranch supply
pet supply supplies resort grooming hospital clinic care sitting
dog grooming training park
animal hospital clinic care shelter rescue control
veterinary clinic hospital services care center
vet clinic hospital
horse rescue supply
garden center club
flower shop
flowers gifts
floral design
florist gifts
coffee roasters roastery house company shop bar
espresso bar cafe
tea room house company
bagel shop company
bake shop
ice cream
bubble tea
juice bar company
donut shop
sandwich shop
burger bar company
breakfast club lunch
pancake house
noodle house bar
sushi bar grill
oyster bar house
sports bar grill medicine
bar grill grille
grill bar
cantina grill
pizza pasta pub company
pizzeria restaurant
chinese restaurant food kitchen
mexican restaurant grill food kitchen
thai restaurant cuisine kitchen
indian restaurant cuisine kitchen grocery
italian restaurant kitchen deli
japanese restaurant steakhouse
vietnamese restaurant
korean restaurant bbq
greek restaurant
seafood restaurant market grill company
steak house
chop house
fish chips market house
ham house
family restaurant dental dentistry practice medicine medical health fun eyecare vision chiropractic center
meat market grocery
meats deli
food market mart truck pantry bank
foods market
natural foods grocers health market gas
general store
country store club kitchen market
corner store market cafe
convenience store
liquor store mart
wine spirits bar
wines spirits
beer wine garden
smoke shop vape
vape shop smoke
tobacco vape shop outlet
brewing company
creek golf
lanes lounge
bowling center
golf club course links
tennis club center
swim club school team
yacht club
gun club range
rod gun
boys girls
youth soccer baseball football sports center services
little league
band boosters
booster club
skating rink center
martial arts
karate academy school
dance academy studio company
music academy studio lessons
piano studio lessons
yoga studio
pilates studio
fitness center club studio
training center
day spa care school
nail salon spa bar studio
nails spa salon
hair salon studio design nails
beauty salon supply bar studio
barber shop
barbershop salon
tanning salon
skin care
lash bar studio lounge
massage therapy
med spa ctr center
medical center group associates supply clinic
health center care system services home department district
healthcare system services
dental care group center associates arts studio office clinic
smiles dental dentistry orthodontics
oral surgery
eye care center associates clinic
vision center care source
foot ankle
ear nose
physical therapy
urgent care
internal medicine
primary care
womens health
home health care improvement furnishings center
senior living care center services
assisted living
nursing home center
child care development
early learning childhood education
learning center academy
childrens museum hospital dentistry
montessori school academy
preparatory school academy
christian school academy church center
catholic church school charities
baptist church
lutheran church school
methodist church
presbyterian church
episcopal church school
community church center college bank hospital health action
bible church
united methodist church way
assembly god
fire district department dept
water district works department company
school district board
unified school
sanitary district
public schools library school utilities
county schools school
parks recreation
housing authority
electric cooperative company coop membership
rural electric water telephone
telephone company cooperative
trash service removal
property management managers group
prop mgmt management
condo association owners
condominium association
homeowners association
owners association
master association
rv park resort center
mobile home park
self storage
mini storage mart
storage units center
moving storage company
credit union
title company escrow agency
law firm office offices group
tax service services
insurance agency group services
accounting services tax
legal services
consulting group services
collection services solutions agency
recovery services solutions group
thrift store shop
antique mall shop
antiques collectibles
pawn shop jewelry
jewelry loan
hobby shop trains
comics cards games
cards games comics
book store shop exchange
books music
toy store
print shop
sign company shop
screen printing
bike shop works
ski shop club
surf shop school company
dive shop center
fly shop fishing
gift shop
western wear
work wear boots
shoe repair store
dry cleaners cleaning
coin laundry wash
laundry service
alterations tailoring
hardware supply lumber
building supply materials
lumber company supply yard
party rentals supply store
tool rental
equipment rental company
event rentals center
funeral home service services
memorial park gardens chapel
cemetery association
historical society museum
arts center council
humane society
volunteer fire
bed breakfast
guest house ranch
boat club rental rentals
river outfitters lodge
logistics services
hill church
steel works supply
machine shop works
manufacturing company
staffing services solutions
security services systems
janitorial services supply
`;

/** A word → what usually follows it. */
export const followers: WordMap<readonly string[]> = wordMap(
  PAIRS.trim()
    .split("\n")
    .map((line) => {
      const [word = "", ...after] = line.split(" ");
      return [word, after] as const;
    }),
);
