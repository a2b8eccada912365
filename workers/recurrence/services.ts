// Services that are sold by subscription, so that a first payment to one is likely to be followed by others. Written by hand from
// what these companies sell; those that sell single products under the same name as well (Amazon, Apple, Google) are not here,
// their subscription brands are.
import type { LedgerCounterparty } from "../../src/model/recurrence.ts";
import { nameWords } from "./names.ts";

const MONTHLY = `
  netflix.com spotify.com disneyplus.com hulu.com max.com hbomax.com paramountplus.com peacocktv.com primevideo.com
  tv.apple.com music.apple.com icloud.com youtube.com tidal.com deezer.com pandora.com siriusxm.com audible.com audible.co.uk scribd.com
  everand.com storytel.com bookbeat.com kindleunlimited.com crunchyroll.com dazn.com fubo.tv sling.com philo.com espn.com starz.com
  showtime.com mubi.com britbox.com shudder.com curiositystream.com discoveryplus.com viaplay.com canalplus.com skyshowtime.com
  nowtv.com joyn.de rtl.de wow.sky.de magentatv.de videoland.com npo.nl globoplay.com stan.com.au binge.com.au kayosports.com.au
  hotstar.com zee5.com sonyliv.com jiosaavn.com showmax.com twitch.tv patreon.com substack.com onlyfans.com medium.com
  xbox.com playstation.com nintendo.com ea.com ubisoft.com geforcenow.com humblebundle.com
  nytimes.com washingtonpost.com wsj.com ft.com economist.com theguardian.com telegraph.co.uk thetimes.co.uk independent.co.uk
  bloomberg.com theatlantic.com newyorker.com wired.com latimes.com bostonglobe.com chicagotribune.com theathletic.com lemonde.fr
  lefigaro.fr liberation.fr mediapart.fr spiegel.de zeit.de faz.net sueddeutsche.de handelsblatt.com elpais.com elmundo.es corriere.it
  repubblica.it nrc.nl volkskrant.nl irishtimes.com smh.com.au theaustralian.com.au nzherald.co.nz globeandmail.com readly.com
  dropbox.com box.com evernote.com notion.so todoist.com 1password.com lastpass.com dashlane.com bitwarden.com keepersecurity.com
  nordvpn.com expressvpn.com surfshark.com protonvpn.com proton.me privateinternetaccess.com cyberghostvpn.com mullvad.net
  norton.com mcafee.com malwarebytes.com avast.com kaspersky.com bitdefender.com lifelock.com aura.com identityguard.com
  adobe.com canva.com figma.com sketch.com invisionapp.com miro.com slack.com zoom.us github.com gitlab.com atlassian.com jetbrains.com
  openai.com chatgpt.com anthropic.com claude.ai midjourney.com perplexity.ai cursor.com cursor.sh grammarly.com jasper.ai otter.ai
  mailchimp.com hubspot.com salesforce.com zendesk.com intercom.com freshworks.com pipedrive.com zoho.com monday.com asana.com
  trello.com clickup.com airtable.com zapier.com make.com calendly.com docusign.com hellosign.com pandadoc.com surveymonkey.com
  typeform.com loom.com vimeo.com quickbooks.intuit.com quickbooks.com xero.com freshbooks.com sage.com waveapps.com freeagent.com
  lexoffice.de sevdesk.de squarespace.com wix.com webflow.com wordpress.com ghost.org weebly.com shopify.com bigcommerce.com
  digitalocean.com linode.com heroku.com vercel.com netlify.com render.com fly.io cloudflare.com hetzner.com ovhcloud.com
  semrush.com ahrefs.com moz.com hootsuite.com buffer.com sproutsocial.com later.com convertkit.com klaviyo.com sendgrid.com
  twilio.com datadoghq.com newrelic.com sentry.io pagerduty.com mongodb.com snowflake.com
  workspace.google.com one.google.com microsoft365.com office.com office365.com
  duolingo.com babbel.com rosettastone.com busuu.com coursera.org udemy.com masterclass.com skillshare.com linkedin.com brilliant.org
  codecademy.com pluralsight.com datacamp.com chegg.com quizlet.com blinkist.com
  headspace.com calm.com noom.com weightwatchers.com myfitnesspal.com strava.com peloton.com onepeloton.com zwift.com fitbit.com
  whoop.com classpass.com betterhelp.com talkspace.com bumble.com tinder.com hinge.co match.com eharmony.com okcupid.com parship.de
  ancestry.com 23andme.com myheritage.com findmypast.co.uk
  hellofresh.com hellofresh.co.uk hellofresh.de blueapron.com homechef.com factor75.com everyplate.com sunbasket.com gousto.co.uk
  mindfulchef.com marleyspoon.com quitoque.fr dinnerly.com purplecarrot.com misfitsmarket.com imperfectfoods.com abelandcole.co.uk
  riverford.co.uk oddbox.co.uk graze.com naturebox.com butcherbox.com thrivemarket.com
  dollarshaveclub.com harrys.com birchbox.com ipsy.com fabfitfun.com stitchfix.com renttherunway.com barkbox.com chewy-autoship.com
  winc.com nakedwines.com beer52.com pactcoffee.com tradecoffee.com atlascoffeeclub.com
  instacartplus.com walmartplus.com amazonprime.com prime.amazon.com doordash-dashpass.com ubereats-one.com
  ring.com nest.com arlo.com simplisafe.com adt.com vivint.com verisure.com life360.com tile.com onstar.com
  experian.com equifax.com transunion.com creditkarma-plus.com rocketmoney.com ynab.com monarchmoney.com
  planetfitness.com lafitness.com equinox.com orangetheory.com anytimefitness.com puregym.com thegymgroup.com basic-fit.com
  davidlloyd.co.uk virginactive.co.uk fitnessfirst.co.uk mcfit.com urbansportsclub.com crunch.com ymca.org
  rundfunkbeitrag.de tvlicensing.co.uk`;

const YEARLY = `
  namecheap.com godaddy.com name.com gandi.net porkbun.com hover.com ionos.com ionos.de strato.de 123-reg.co.uk
  aaa.com theaa.com rac.co.uk adac.de aarp.org`;

/** Brands by name: their website is that of a company that sells other things too. */
const NAMES = [
  ...[
    "Amazon Prime",
    "Prime Video",
    "Kindle Unlimited",
    "Audible",
    "Apple Music",
    "Apple TV",
    "Apple One",
    "iCloud",
  ],
  ...[
    "Google One",
    "Google Workspace",
    "GSuite",
    "YouTube Premium",
    "YouTube TV",
    "Microsoft 365",
    "Office 365",
  ],
  ...[
    "Xbox Game Pass",
    "PlayStation Plus",
    "Nintendo Switch Online",
    "Walmart Plus",
    "Uber One",
    "DashPass",
    "Costco Membership",
  ],
  ...[
    "Sam's Club Membership",
    "LinkedIn Premium",
    "Discord Nitro",
    "Telegram Premium",
    "X Premium",
    "Meta Verified",
  ],
];

const read = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/u).filter(Boolean));
const monthly = read(MONTHLY);
const yearly = read(YEARLY);
const names: ReadonlySet<string> = new Set(NAMES.map((name) => nameWords(name).join("")));

/** Days between payments of a service that sells subscriptions; null: it is not known to sell them. */
export function servicePeriod(counterparty: LedgerCounterparty | null): 30 | 365 | null {
  if (counterparty === null) return null;
  const { website, name } = counterparty;
  if (website !== null && yearly.has(website)) return 365;
  if (website !== null && monthly.has(website)) return 30;
  const words = nameWords(name).join("");
  return names.has(words) ? 30 : null;
}
