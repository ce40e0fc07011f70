import {
  type CampaignResult,
  type CampaignMeasure,
  campaignMeasures,
  MOST_CONTROLS,
} from '@aisle/contract/promotion/campaign'
import { daysBetween } from '../../../kernel/businessDay'
import { must } from '../../../kernel/must'
import { type Arm, effectOf, scaled } from '../effect.rules'

export type Candidate = { id: number; soldFen: number }

/**
 * Which machines stay out: of each handful that sells about as much, one, so that those without are like those with.
 * The same campaign and machines give the same answer, whoever asks and whenever.
 */
export function chooseControls(machines: readonly Candidate[], percent: number, campaignId: number): number[] {
  if (percent === 0) return []
  const ranked = [...machines].sort((a, b) => a.soldFen - b.soldFen || a.id - b.id)
  const wanted = Math.min(MOST_CONTROLS, Math.floor((ranked.length * percent) / 100))
  return Array.from({ length: wanted }, (_, at) => {
    const from = Math.floor((at * ranked.length) / wanted)
    const handful = ranked.slice(from, Math.floor(((at + 1) * ranked.length) / wanted))
    handful.sort((a, b) => lotOf(campaignId, a.id) - lotOf(campaignId, b.id))
    return must(handful[0], 'a machine of the handful').id
  })
}

/** Mixed well enough that neighbours by number are none by lot (the finaliser of MurmurHash3). */
function lotOf(campaignId: number, machineId: number): number {
  let mixed = (Math.imul(campaignId, 0x9e3779b1) ^ machineId) >>> 0
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}

/** Days before with which it is compared: as many whole weeks as it is long, two at least and eight at most. */
export function beforeDaysOf(startsOn: string, endsOn: string): number {
  return Math.min(8, Math.max(2, Math.ceil((daysBetween(startsOn, endsOn) + 1) / 7))) * 7
}

export type Measured = Arm & { measure: CampaignMeasure; isControl: boolean }

/** What the figures of both sides allow to be said of each measure. */
export function resultsOf(rows: readonly Measured[], goal: { measure: CampaignMeasure; goalPercent: number }) {
  return campaignMeasures.flatMap((measure): CampaignResult[] => {
    const side = (isControl: boolean) =>
      rows.find((row) => row.measure === measure && row.isControl === isControl) ?? null
    const withIt = side(false)
    if (!withIt) return []
    const without = side(true)
    const { verdict, why, change, percent } = effectOf(withIt, without)
    const shown = ({ machines, before, during }: Arm) => ({ machines, before: round(before), during: round(during) })
    return [
      {
        measure,
        with: shown(withIt),
        without: without && shown(without),
        verdict,
        why,
        goal: percent && measure === goal.measure ? markOf(percent, goal.goalPercent) : null,
        change: change && rounded(change),
        percent: percent && rounded(percent),
        total: change && rounded(scaled(change, withIt.machines * withIt.days)),
      },
    ]
  })
}

type Interval = NonNullable<CampaignResult['percent']>

function markOf({ value, low, high }: Interval, wanted: number): NonNullable<CampaignResult['goal']> {
  if (low > 0 && value >= wanted) return 'reached'
  return high < wanted ? 'missed' : 'open'
}

const round = (value: number) => Math.round(value * 100) / 100
const rounded = ({ value, low, high }: Interval): Interval => ({
  value: round(value),
  low: round(low),
  high: round(high),
})
