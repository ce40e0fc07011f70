import { z } from 'zod'
import { endpoint, zDay, zInstant } from '../kernel/endpoint'

/** The tabs beside sales (spec §2.4), each with figures of its own. */
export const sectionTabs = ['production', 'afterSales', 'merchant', 'product', 'customer'] as const
export type SectionTab = (typeof sectionTabs)[number]

/** `hours` may have a decimal; `share` is between 0 and 1; the others are whole. */
export const sectionUnits = ['count', 'fen', 'share', 'hours'] as const
export type SectionUnit = (typeof sectionUnits)[number]

/** Named as the texts name them: `section.<tab>.<name>`. Null: there is nothing to tell it from yet. */
const figure = z.object({
  name: z.string(),
  unit: z.enum(sectionUnits),
  value: z.number().nullable(),
  /** The same of the period before, where the text says so. */
  before: z.number().nullable(),
})
const ranking = z.object({
  name: z.string(),
  unit: z.enum(sectionUnits),
  rows: z.array(z.object({ label: z.string(), value: z.number(), before: z.number().nullable() })).max(10),
})
const trend = z.object({
  name: z.string(),
  unit: z.enum(sectionUnits),
  from: zDay,
  /** One a day, or one a month. */
  step: z.enum(['day', 'month']),
  values: z.array(z.number()).max(31),
})
const section = z.object({
  tab: z.enum(sectionTabs),
  figures: z.array(figure).max(6),
  trend,
  rankings: z.array(ranking).max(4),
  at: zInstant,
})
export type Section = z.output<typeof section>
export type SectionFigure = z.output<typeof figure>
export type SectionRanking = z.output<typeof ranking>
export type SectionTrend = z.output<typeof trend>

export const getBoardSection = endpoint({
  name: 'wallboard.getBoardSection',
  method: 'GET',
  path: '/api/wallboard/section',
  access: 'public',
  input: z.strictObject({ tab: z.enum(sectionTabs), key: z.string().max(64).optional() }),
  output: section,
  refusals: ['wallboard.closed', 'wallboard.keyInvalid'],
  summary: 'The figures of a tab of the wallboard beside sales',
})
