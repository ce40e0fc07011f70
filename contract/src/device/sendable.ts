import { z } from 'zod'
import { type CommandType, commandTtlMs } from './commands'

/** What a person asks of a machine by itself; the other commands follow from slots, templates, software or orders. */
export const sendableTypes = [
  'self_check',
  'upload_snapshot',
  'upload_log',
  'upload_photo',
  'restart_app',
  'reboot',
  'stop_sale',
  'resume_sale',
  'set_volume_or_screen',
  'open_door',
] as const satisfies readonly CommandType[]
export type SendableType = (typeof sendableTypes)[number]

/** Moves something that people can be hurt by or steal from: asked twice in words of its own. */
export const isGrave = (type: CommandType): boolean => type === 'open_door' || type === 'reboot' || type === 'stop_sale'

const zPercent = z.coerce.number().int().min(0).max(100)

/** Beside the type: each command takes its own of these, and the others are left out. */
export const askedData = {
  /** How far back a log goes. */
  hours: z.coerce.number().int().min(1).max(72).optional(),
  volume: zPercent.optional(),
  brightness: zPercent.optional(),
}
type Asked = { [K in keyof typeof askedData]: z.output<(typeof askedData)[K]> }

const takes: Partial<Record<SendableType, readonly (keyof Asked)[]>> = {
  upload_log: ['hours'],
  set_volume_or_screen: ['volume', 'brightness'],
}
export const namesOf = (type: SendableType): readonly (keyof Asked)[] => takes[type] ?? []

/** The data that goes to the machine; null where something that the command needs was not said. */
export function dataOf(type: SendableType, asked: Partial<Asked>): Record<string, unknown> | null {
  const names = namesOf(type)
  const data = Object.fromEntries(names.flatMap((name) => (asked[name] === undefined ? [] : [[name, asked[name]]])))
  if (type === 'upload_log') return { hours: 24, ...data }
  return names.length > 0 && Object.keys(data).length === 0 ? null : data
}

/** Those that can be asked without another word, as rows that are ticked are. */
export const plainTypes = sendableTypes.filter((type) => dataOf(type, {}) !== null)

export const zReason = z.string().trim().min(2).max(200)
export const ttlMinutes = (type: CommandType): number => Math.round(commandTtlMs[type] / 60_000)
