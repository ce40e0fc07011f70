import { expect, test } from 'vitest'
import { z } from 'zod'
import { ackStates, messageData, messageRefusals, storedTypes } from './messages'
import { commandDetails, commandState, commandTypes, lateState, systemReasons } from './commands'
import { blocks } from './batch'
import { logLevels } from './link'
import { faultText, lineText, saidText, type Words, wordKey } from './said'
import { machineParts } from './selfCheck'
import { paymentMethods } from '../trade/states'
import en from './text/en.json'
import fr from './text/fr.json'
import ko from './text/ko.json'
import zh from './text/zh.json'

const catalogs: Record<string, Record<string, string>> = { zh, en, fr, ko }

/** Names of a message's fields and the values that an enumeration allows, however deep they stand. */
function keysOf(schema: unknown, name: string): string[] {
  if (schema instanceof z.ZodObject) {
    return Object.entries(schema.shape).flatMap(([each, inner]) => [`said.${each}`, ...keysOf(inner, each)])
  }
  if (schema instanceof z.ZodArray) return keysOf(schema.element, name)
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return keysOf(schema.unwrap(), name)
  if (schema instanceof z.ZodDefault) return keysOf(schema.unwrap(), name)
  if (schema instanceof z.ZodEnum) return schema.options.map((value) => wordKey(name, String(value)))
  return []
}

/** Of kinds that are kept whole, and of what commands carry: as docs/DEVICES.md names them. */
const named = {
  kept: ['door', 'state', 'by', 'openSeconds', 'alarmId', 'code', 'slot', 'level', 'value'],
  commands: `
    orderNo items index putsBack hours volume brightness prices priceFen version slots product
    capacity choice locked alarmThreshold counted pieces at settings thermostat mode workingC
    periods from to ads batch url sha256 templateId template parts part ok stopped`
    .trim()
    .split(/\s+/),
  values: {
    state: ['opened', 'closed'],
    by: ['user', 'key', 'remote', 'unknown'],
    door: ['main'],
    level: ['critical', 'warning', 'notice'],
    choice: ['none', 'stopped_sale', 'reserved_only'],
    mode: ['none', 'retail', 'hospital', 'cool', 'heat', 'off'],
    motorCode: ['100', '101', '102', '103'],
    sensorCode: ['00', '01', '02', '03', '04', '05', '06'],
    method: paymentMethods,
    part: machineParts,
  },
}

test.each(Object.keys(catalogs))('everything that a machine says, or is told, is worded in %s', (language) => {
  const keys = [
    ...Object.entries(messageData).flatMap(([type, schema]) => [`messageType.${type}`, ...keysOf(schema, type)]),
    ...storedTypes.map((type) => `messageType.${type}`),
    ...[...named.kept, ...named.commands].map((name) => `said.${name}`),
    ...Object.entries(named.values).flatMap(([name, values]) => values.map((value) => wordKey(name, value))),
    ...commandTypes.flatMap((type) => [`command.${type}`, `command.${type}.does`]),
    ...commandState.states.flatMap((state) => [`commandState.${state}`, `commandState.${state}.help`]),
    ...lateState.states.map((state) => `lateState.${state}`),
    ...commandDetails.map((detail) => `detail.${detail}`),
    ...systemReasons.map((reason) => `commandReason.${reason}`),
    ...blocks.map((block) => `outcome.${block}`),
    ...messageRefusals.map((reason) => `messageRefusal.${reason}`),
    ...ackStates
      .filter((state) => state !== 'duplicate' && state !== 'conflict')
      .map((state) => `messageState.${state}`),
    ...logLevels.map((level) => `logLevel.${level}`),
    ...machineParts.map((part) => `machinePart.${part}`),
  ]
  const catalog = catalogs[language] ?? {}
  expect([...new Set(keys)].filter((key) => !(key in catalog))).toEqual([])
})

const english: Record<string, string> = en
const say = (key: string, vars: Record<string, string | number> = {}) =>
  (english[key] ?? key).replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(vars[name]))
const t: Words = { any: say, or: (key, code) => english[key] ?? code }

test('names, values and codes are said in words, and what nobody knows as it came', () => {
  const data = { slot: 'A1', ok: false, motorCode: '102', priceFen: 350, colour: 'red', items: [{ slot: 'B2' }] }
  expect(saidText(data, t, (fen) => `¥${fen / 100}`)).toBe(
    `Slot A1 · Success no · Motor ${english['motorCode.102']} · Price ¥3.5 · colour red · Items (Slot B2)`,
  )
})

test('a fault and the lines of the reference client are said in words', () => {
  expect(faultText('slot A1 motor 102, E12', t)).toBe(`A1 ${english['motorCode.102']}, E12`)
  const lines = [
    'up 60 s, orders begun 3, motor turns 4, unacknowledged 0',
    'boot ab12-3, said 12 messages',
    'orders begun 3, motor turns 4',
    'waiting for acknowledgement 2',
    'remembers order:S-1',
    'end of 24 h',
    'slot A1: motor 102',
  ]
  for (const line of lines) expect(lineText(line, t)).not.toBe(line)
  expect(lineText('disk check finished', t)).toBe('disk check finished')
})
