// npm run train -- tagger [--compare] | ranker | words | websites | categoriser | domains | website-sets
// Trains a model of the recogniser and writes it into workers/knowledge/models. They build on each other, in this order: tagger,
// words, websites, categoriser (with the ranker, which can also be trained alone); after each one run `npm run knowledge`. Needs the
// public files of DATA_DIR, see data.ts. `domains` and `website-sets` train nothing: they write filters of domains and tables of names
// and websites.
import { runCategoriser } from "./categoriser.ts";
import { runDomains } from "./domains.ts";
import { runRanker } from "./ranker.ts";
import { runTagger } from "./tagger.ts";
import { runWebsiteSets } from "./website-sets.ts";
import { runWebsites } from "./websites.ts";
import { runWords } from "./words.ts";

const [model = "", ...args] = process.argv.slice(2);
switch (model) {
  case "tagger":
    await runTagger(args);
    break;
  case "ranker":
    await runRanker();
    break;
  case "words":
    runWords();
    break;
  case "websites":
    runWebsites();
    break;
  case "categoriser":
    await runCategoriser(args);
    break;
  case "domains":
    runDomains();
    break;
  case "website-sets":
    runWebsiteSets();
    break;
  default:
    throw new Error(
      `Unknown model "${model}": use tagger, ranker, words, websites, categoriser, domains or website-sets.`,
    );
}
