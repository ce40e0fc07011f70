import type { MachinePlan, Slot, World } from '../world'

/** What a machine was told and keeps over restarts, beside its orders and its stock. */
export type Settings = Record<string, string | number | boolean>
type SlotNote = Pick<
  Slot,
  'product' | 'priceFen' | 'struckFen' | 'memberFen' | 'capacity' | 'isLocked' | 'isStopped' | 'isMedicine'
> & {
  code: string
  stock: number
}
/** `of`: the plan of the fleet file that it changed; another plan of the file is newer than the note. */
type PlanNote = { of: string; version: number; slots: SlotNote[] }

const PLAN = 'plan'
const SETTINGS = 'settings'
const APP = 'app'

type Remembering = { world: World; code: string }
const noteOf = (machine: Remembering, name: string): unknown => machine.world.outbox.memory(machine.code).get(name)

export const settingsOf = (machine: Remembering): Settings => (noteOf(machine, SETTINGS) as Settings | undefined) ?? {}
export const settingsNote = (machine: Remembering, changes: Settings) => ({
  [SETTINGS]: { ...settingsOf(machine), ...changes },
})

type App = { version: string; former: string | null }
export const appOf = (machine: Remembering): App | undefined => noteOf(machine, APP) as App | undefined
export const appNote = (app: App) => ({ [APP]: app })

/** Names a plan by what stands in it. */
export const fingerprint = (slots: MachinePlan['slots']): string =>
  slots.map(({ code, product, priceFen, capacity }) => `${code}:${product}:${priceFen}:${capacity}`).join('|')

export const planNote = (of: string, version: number, slots: readonly Slot[]): Record<string, PlanNote> => ({
  [PLAN]: {
    of,
    version,
    slots: slots.map(
      ({ code, product, priceFen, struckFen, memberFen, capacity, isLocked, isStopped, isMedicine, stock }) => ({
        code,
        product,
        priceFen,
        struckFen,
        memberFen,
        capacity,
        isLocked,
        isStopped,
        isMedicine,
        stock,
      }),
    ),
  },
})

export const toldVersion = (machine: Remembering): number =>
  (noteOf(machine, PLAN) as PlanNote | undefined)?.version ?? 0

/** The plan that a machine was last told; undefined where the fleet file has been written anew since. */
export function toldPlan(machine: Remembering, file: MachinePlan['slots']): PlanNote | undefined {
  const note = noteOf(machine, PLAN) as PlanNote | undefined
  return note?.of === fingerprint(file) ? note : undefined
}

const SETS = 'sets'
type Sets = readonly (readonly string[])[]
/** Its products as often as there are pieces of them, set by set. */
export const setsNote = (sets: Sets): Record<string, Sets> => ({ [SETS]: sets })
export const toldSets = (machine: Remembering): Sets | undefined => noteOf(machine, SETS) as Sets | undefined
