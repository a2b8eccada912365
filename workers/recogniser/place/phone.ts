// The telephone number that the card network puts behind the name of who sells without a shop, in the field of the
// city. Only what can be nothing else: a reference of ten digits looks much the same.
import type { Line, Span } from "../line.ts";
import type { Hints } from "../hints.ts";
import type { FoundPlace } from "./place.ts";

/** Area codes of the United States and Canada that are in service, and the toll-free ones. */
const areaCodes: ReadonlySet<string> = new Set(
  (
    "201 202 203 204 205 206 207 208 209 210 212 213 214 215 216 217 218 219 220 223 224 225 226 227 228 229 231 234 " +
    "235 236 239 240 248 249 250 251 252 253 254 256 257 260 262 263 267 269 270 272 274 276 279 281 283 289 301 302 " +
    "303 304 305 306 307 308 309 310 312 313 314 315 316 317 318 319 320 321 323 324 325 326 327 329 330 331 332 334 " +
    "336 337 339 341 343 346 347 350 351 352 353 354 357 360 361 363 364 365 367 368 369 380 382 385 386 401 402 403 " +
    "404 405 406 407 408 409 410 412 413 414 415 416 417 418 419 423 424 425 428 430 431 432 434 435 436 437 438 440 " +
    "442 443 445 447 448 450 457 458 463 464 468 469 470 471 472 474 475 478 479 480 483 484 501 502 503 504 505 506 " +
    "507 508 509 510 512 513 514 515 516 517 518 519 520 530 531 534 539 540 541 548 551 557 559 561 562 563 564 567 " +
    "570 571 572 573 574 575 579 580 581 582 584 585 586 587 601 602 603 604 605 606 607 608 609 610 612 613 614 615 " +
    "616 617 618 619 620 621 623 624 626 628 629 630 631 636 639 640 641 645 646 647 650 651 656 657 659 660 661 662 " +
    "667 669 672 678 679 680 681 682 683 686 689 701 702 703 704 705 706 707 708 709 712 713 714 715 716 717 718 719 " +
    "720 724 725 726 727 728 729 730 731 732 734 737 738 740 742 743 747 753 754 757 760 762 763 765 769 770 771 772 " +
    "773 774 775 778 779 780 781 782 785 786 801 802 803 804 805 806 807 808 810 812 813 814 815 816 817 818 819 820 " +
    "821 825 826 828 830 831 832 835 837 838 839 840 843 845 847 848 850 854 856 857 858 859 860 861 862 863 864 865 " +
    "867 870 872 873 878 879 901 902 903 904 905 906 907 908 909 910 912 913 914 915 916 917 918 919 920 924 925 928 " +
    "929 930 931 934 936 937 938 940 941 942 943 945 947 948 949 951 952 954 956 959 970 971 972 973 975 978 979 980 " +
    "983 984 985 986 989 800 833 844 855 866 877 888"
  ).split(" "),
);

/** How the digits of a number may be written. */
interface Shape {
  /** Digits of each group. */
  readonly groups: readonly number[];
  /** What may stand between two groups. */
  readonly joints: string;
  /** The whole number as digits. */
  readonly digits: RegExp;
}

interface NumberingPlan {
  readonly countryCode: string;
  readonly shapes: readonly Shape[];
  /** Leaves away what is dialled only inside the country. */
  readonly national: RegExp;
}

/** A number of ten digits that nothing divides: believed only where the city would stand. */
const UNDIVIDED = 10;

const american: NumberingPlan = {
  countryCode: "1",
  national: /^1?(?=\d{10}$)/u,
  shapes: [
    { groups: [3, 3, 4], joints: "-./)", digits: /^[2-9]\d\d[2-9]\d{6}$/u },
    { groups: [1, 3, 3, 4], joints: "-./)(", digits: /^1[2-9]\d\d[2-9]\d{6}$/u },
    { groups: [3, 7], joints: "-", digits: /^[2-9]\d\d[2-9]\d{6}$/u },
    { groups: [UNDIVIDED], joints: "", digits: /^[2-9]\d\d[2-9]\d{6}$/u },
  ],
};

const british: NumberingPlan = {
  countryCode: "44",
  national: /^0/u,
  shapes: [
    { groups: [11], joints: "", digits: /^0(?:800|808|3[03]\d|34[45]|37\d|84[45]|87[01])\d{7}$/u },
    { groups: [4, 7], joints: " -", digits: /^0(?:800|808|3\d\d|84[45]|87[01])\d{7}$/u },
    {
      groups: [4, 3, 4],
      joints: " -",
      digits: /^0(?:1[1-9]1|11\d|3\d\d|80[08]|84[45]|87[01])\d{7}$/u,
    },
    { groups: [3, 4, 4], joints: " -", digits: /^02[03489]\d{8}$/u },
    { groups: [5, 6], joints: " -", digits: /^01[2-9]\d{8}$/u },
  ],
};

const australian: NumberingPlan = {
  countryCode: "61",
  national: /^0?/u,
  shapes: [
    { groups: [4, 3, 3], joints: " -", digits: /^1[38]00\d{6}$/u },
    { groups: [10], joints: "", digits: /^1[38]00\d{6}$/u },
    { groups: [2, 4, 4], joints: " -", digits: /^0[2378]\d{8}$/u },
  ],
};

const isDivider = (line: Line, at: number, joints: string): boolean => {
  const token = line.tokens[at];
  return token !== undefined && token.gap <= 2 && joints.includes(token.before);
};

/** A number goes on in a token that is joined to it by more than a space. */
const goesOn = (line: Line, at: number): boolean => {
  const token = line.tokens[at];
  return token !== undefined && token.kind !== "word" && token.gap === 1 && token.before !== " ";
};

/** The digits of a number of this shape that begins at a token, null when there is none. */
function digitsAt(line: Line, at: number, to: number, shape: Shape): string | null {
  const { groups, joints } = shape;
  if (at + groups.length > to) return null;
  let digits = "";
  for (let offset = 0; offset < groups.length; offset++) {
    const token = line.tokens[at + offset];
    if (token?.kind !== "number" || token.text.length !== groups[offset]) return null;
    if (offset > 0 && !isDivider(line, at + offset, joints)) return null;
    digits += token.text;
  }
  const isWhole = !goesOn(line, at) && !goesOn(line, at + groups.length);
  return isWhole && shape.digits.test(digits) ? digits : null;
}

const inAmerica = (hints: Hints, place: FoundPlace | null): boolean =>
  hints.home === "US" || hints.home === "CA" || /^(?:US|CA)-/u.test(place?.area ?? "");

/**
 * In addition to its shape: an American line, since three, three and four digits are a number in Luxembourg too; an area code that
 * exists; and for ten bare digits the state right behind them.
 */
function isAmerican(
  line: Line,
  end: number,
  shape: Shape,
  digits: string,
  hints: Hints,
  place: FoundPlace | null,
): boolean {
  if (!inAmerica(hints, place) || !areaCodes.has(digits.slice(-10, -7))) return false;
  if (shape.groups[0] !== UNDIVIDED) return true;
  const state = (place?.area ?? "").slice(3).toLowerCase();
  return state !== "" && line.tokens[end]?.text === state;
}

function plansOf(hints: Hints): readonly NumberingPlan[] {
  if (hints.home === "GB") return [american, british];
  return hints.home === "AU" ? [american, australian] : [american];
}

function numberAt(
  line: Line,
  at: number,
  to: number,
  plan: NumberingPlan,
  hints: Hints,
  place: FoundPlace | null,
): string | null {
  for (const shape of plan.shapes) {
    const digits = digitsAt(line, at, to, shape);
    if (digits === null) continue;
    const end = at + shape.groups.length;
    if (plan === american && !isAmerican(line, end, shape, digits, hints, place)) continue;
    return `+${plan.countryCode}${digits.replace(plan.national, "")}`;
  }
  return null;
}

/** The telephone number in E.164 (`+18665797172`) among the tokens behind a name, null when there is none for certain. */
export function findPhone(
  line: Line,
  { from, to }: Span,
  hints: Hints,
  place: FoundPlace | null,
): string | null {
  const plans = plansOf(hints);
  for (let at = from; at < to; at++) {
    if (line.tokens[at]?.kind !== "number") continue;
    for (const plan of plans) {
      const number = numberAt(line, at, to, plan, hints, place);
      if (number !== null) return number;
    }
  }
  return null;
}
