// How offices are written on statements and what they are called: `IL DEPT OF REV`, `PHILA DEPT REVENUE`, `NM DOH`.
import { isReference, type Line, type Span } from "../line.ts";
import { lookUp, lookUpText, type WordMap, wordMap } from "../text/word-map.ts";

const pairs = (text: string): WordMap<string> =>
  wordMap(
    text
      .trim()
      .split("\n")
      .map((row) => {
        const [word = "", whole = ""] = row.split("=");
        return [word, whole] as const;
      }),
  );

/** Folded, without spaces, as keys of names are. */
const states = pairs(`
al=alabama
ak=alaska
az=arizona
ariz=arizona
ar=arkansas
ark=arkansas
ca=california
cal=california
calif=california
colo=colorado
ct=connecticut
conn=connecticut
de=delaware
del=delaware
fl=florida
fla=florida
ga=georgia
hi=hawaii
id=idaho
il=illinois
ill=illinois
in=indiana
ind=indiana
ia=iowa
ks=kansas
kan=kansas
ky=kentucky
la=louisiana
louisia=louisiana
me=maine
md=maryland
ma=massachusetts
mass=massachusetts
mi=michigan
mich=michigan
mn=minnesota
minn=minnesota
ms=mississippi
miss=mississippi
mo=missouri
mt=montana
mont=montana
ne=nebraska
neb=nebraska
nv=nevada
nev=nevada
nh=newhampshire
nj=newjersey
nm=newmexico
ny=newyork
nys=newyorkstate
nc=northcarolina
nd=northdakota
oh=ohio
ok=oklahoma
okla=oklahoma
or=oregon
ore=oregon
pa=pennsylvania
penn=pennsylvania
penna=pennsylvania
phila=philadelphia
ri=rhodeisland
sc=southcarolina
sd=southdakota
tn=tennessee
tenn=tennessee
tx=texas
tex=texas
ut=utah
vt=vermont
va=virginia
wa=washington
wash=washington
wv=westvirginia
wi=wisconsin
wis=wisconsin
wisc=wisconsin
wy=wyoming
wyo=wyoming`);

/** Words of offices; an OF that statements leave out is put in again. */
const offices = pairs(`
dept=departmentof
department=departmentof
dor=departmentofrevenue
doh=departmentofhealth
dol=departmentoflabor
dot=departmentoftransportation
dnr=departmentofnaturalresources
dof=departmentoffinance
dmv=departmentofmotorvehicles
rev=revenue
reven=revenue
treas=treasurer
co=county
cnty=county
comm=commission
commn=commission
commissi=commission
empl=employment
unempl=unemployment
ins=insurance
sec=security
veh=vehicles
mtr=motor
mv=motorvehicles
univ=university
comptrol=comptroller
natl=national
serv=services
svcs=services
svc=service
tax=tax
taxes=taxes`);

const OFFICE_TOKENS_MAX = 8;

/** What a word is called where offices are named; undefined: offices do not have it. */
function officeAt({ tokens }: Line, parts: readonly string[], at: number): string | undefined {
  const token = tokens[at];
  const text = parts[at] ?? "";
  return token?.text === text ? lookUp(offices, token) : lookUpText(offices, text);
}

function holdsOffice(line: Line, parts: readonly string[], from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (officeAt(line, parts, at) !== undefined) return true;
  return false;
}

/**
 * The words of a span as the names of offices hold them, `parts` where they already do; null when no office shows itself. Only
 * its first word may be a state.
 */
export function officeParts(
  line: Line,
  span: Span,
  parts: readonly string[],
): readonly string[] | null {
  const last = Math.min(span.to, span.from + OFFICE_TOKENS_MAX);
  if (!holdsOffice(line, parts, span.from + 1, last)) return null;
  const spelled = [...parts];
  let isOffice = false;
  for (let at = span.from; at < last; at++) {
    if (isReference(line, at)) break;
    const text = parts[at] ?? "";
    const office = officeAt(line, parts, at);
    if (at === span.from) spelled[at] = lookUpText(states, text) ?? text;
    else if (office !== undefined) {
      spelled[at] = office;
      isOffice = true;
      if (office.endsWith("of") && parts[at + 1] === "of") spelled[at + 1] = "";
    }
  }
  return isOffice ? spelled : null;
}
