import { kindsForMinors, type PointKind } from '../fleet/point'

/** What an advert is for, as the law tells them apart. */
export const advertised = ['none', 'goods', 'otc', 'rx', 'device', 'health_food', 'tobacco'] as const
export type Advertised = (typeof advertised)[number]

/** What no advert to the public may be for: prescription medicines (Advertising Law, article 15), tobacco (22). */
export const isForbidden = (what: Advertised): what is 'rx' | 'tobacco' => what === 'rx' || what === 'tobacco'

const reviewed: readonly Advertised[] = ['otc', 'device', 'health_food']

/** Medicines, devices and health food are approved before they are advertised (article 46). */
export const needsApproval = (what: Advertised): boolean => reviewed.includes(what)

/** And say what their law wants said: of OTC medicines and devices article 16, of health food article 18. */
export const needsWarning = (what: Advertised): boolean => needsApproval(what)

/** No advertising in primary and secondary schools and kindergartens, whatever it is for (article 39). */
export const mayShowAdverts = (kind: PointKind): boolean => !kindsForMinors.includes(kind)
