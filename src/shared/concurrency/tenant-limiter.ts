// Limits of the records in flight, in total and for each tenant.

export interface ConcurrencyLimits {
  /** Records in flight at a time. */
  readonly inFlightMax: number;
  /** Records of one tenant in flight; `inFlightMax` when left out. */
  readonly inFlightPerTenantMax?: number;
}

export interface ConcurrencyLimiter {
  readonly inFlight: number;
  /**
   * Whether another record of the tenant may start. A tenant with none in flight may start one while any slot is left; any
   * other tenant only while it holds no more than it leaves to others.
   */
  mayStart(tenant: string): boolean;
  started(tenant: string): void;
  ended(tenant: string): void;
}

export function createConcurrencyLimiter({
  inFlightMax,
  inFlightPerTenantMax = inFlightMax,
}: ConcurrencyLimits): ConcurrencyLimiter {
  const byTenant = new Map<string, number>();
  let inFlight = 0;
  return {
    get inFlight() {
      return inFlight;
    },
    mayStart(tenant) {
      const left = inFlightMax - inFlight;
      const own = byTenant.get(tenant) ?? 0;
      if (left <= 0 || own >= inFlightPerTenantMax) return false;
      const isAlone = own === inFlight;
      return isAlone || own < left;
    },
    started(tenant) {
      inFlight += 1;
      byTenant.set(tenant, (byTenant.get(tenant) ?? 0) + 1);
    },
    ended(tenant) {
      inFlight -= 1;
      const left = (byTenant.get(tenant) ?? 0) - 1;
      if (left > 0) byTenant.set(tenant, left);
      else byTenant.delete(tenant);
    },
  };
}
