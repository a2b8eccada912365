import { plainWords } from "./plain-words.ts";

/** Only `booked` counts in sums. `information`: reported by the bank for information only. */
export type TransactionStatus = "booked" | "pending" | "reverted" | "declined" | "information";

// English, German, French, Spanish, Italian, Dutch and Portuguese, as plainWords leaves them.
const WORDS: Readonly<Record<TransactionStatus, string>> = {
  booked:
    "booked|posted|completed|complete|cleared|settled|reconciled|processed|success|successful|succeeded|paid|done|executed|final|ok|" +
    "gebucht|gebuchte umsatze|abgeschlossen|erledigt|ausgefuhrt|bezahlt|comptabilise|comptabilisee|effectue|effectuee|termine|terminee|" +
    "execute|executee|valide|validee|contabilizado|contabilizada|completado|completada|realizado|realizada|liquidado|contabilizzato|" +
    "contabilizzata|completato|eseguito|eseguita|geboekt|verwerkt|voltooid|uitgevoerd|concluido|concluida|efetuado|efetuada",
  pending:
    "pending|authorized|authorised|authorization|processing|in progress|in process|on hold|hold|scheduled|upcoming|not posted|unposted|" +
    "uncleared|awaiting|waiting|open|vorgemerkt|vorgemerkte umsatze|ausstehend|offen|in bearbeitung|geplant|en attente|en cours|a venir|" +
    "pendiente|en proceso|retenido|retenida|autorizado|autorizada|in sospeso|in attesa|in corso|autorizzato|autorizzata|da contabilizzare|" +
    "in afwachting|in behandeling|gereserveerd|openstaand|pendente|em processamento|cativo",
  reverted:
    "reverted|reversed|reversal|returned|voided|void|refunded|charged back|chargeback|storniert|storno|zuruckgebucht|ruckgebucht|" +
    "ruckbuchung|annule|annulee|rembourse|remboursee|extourne|revertido|revertida|devuelto|devuelta|anulado|anulada|reembolsado|" +
    "stornato|stornata|rimborsato|annullato|annullata|teruggeboekt|gestorneerd|terugbetaald|estornado|estornada|devolvido|devolvida",
  declined:
    "declined|rejected|failed|failure|denied|refused|canceled|cancelled|cancelled by user|expired|error|blocked|unsuccessful|not executed|" +
    "abgelehnt|fehlgeschlagen|abgebrochen|nicht ausgefuhrt|abgelaufen|refuse|refusee|rejete|rejetee|echoue|echouee|expire|" +
    "rechazado|rechazada|denegado|denegada|fallido|fallida|cancelado|cancelada|rifiutato|rifiutata|respinto|fallito|negato|" +
    "geweigerd|afgewezen|mislukt|geannuleerd|recusado|recusada|rejeitado|rejeitada|falhado",
  information: "information|informational|info|memo|fyi",
};
const STATUSES = new Map(
  (Object.entries(WORDS) as [TransactionStatus, string][]).flatMap(([status, words]) =>
    words.split("|").map((word) => [word, status] as const),
  ),
);

/** What a word of a status column means; null when it is not known. */
export function statusOf(text: string): TransactionStatus | null {
  return STATUSES.get(plainWords(text)) ?? null;
}
