// Probabilities that mean what they say: isotonic regression (Zadrozny and Elkan 2002) on answers of lines that a model was
// not trained on. The curve is a list of points, ascending; between two of them it is straight.

export type CalibrationCurve = readonly (readonly [stated: number, correct: number])[];

/** Between two points of the curve, in proportion; outside of it, its end; without points as it is. */
export function interpolate(curve: CalibrationCurve, stated: number): number {
  let before = curve[0];
  if (before === undefined) return stated;
  if (stated <= before[0]) return before[1];
  for (const point of curve) {
    if (stated <= point[0]) {
      const width = point[0] - before[0];
      const part = width === 0 ? 1 : (stated - before[0]) / width;
      return before[1] + part * (point[1] - before[1]);
    }
    before = point;
  }
  return before[1];
}
