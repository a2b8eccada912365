// Words that mean the same whichever way the money goes. How the lists are written: words.ts.

/** By our own category; for money that arrives and for money that leaves. */
export const eitherWords: Readonly<Record<string, string>> = {
  "not enough information": `uncategorized | uncategorised | unknown | unclassified | unassigned | unidentified | unsorted |
    uncategorized income | uncategorized expense | uncategorized expenses | needs review | to review | needs category |
    to be categorized | to be categorised | not categorized | not categorised | no category | none | undefined |
    ask my accountant | ask accountant | suspense | suspense account | unbekannt | nicht kategorisiert | unkategorisiert |
    ohne kategorie | nicht zugeordnet | klärungsbedarf | non catégorisé | non catégorisée | à catégoriser | à classer |
    inconnu | sans catégorie | compte d'attente | sin categoría | sin categorizar | sin clasificar | desconocido |
    por clasificar | non categorizzato | senza categoria | niet gecategoriseerd`,
};
