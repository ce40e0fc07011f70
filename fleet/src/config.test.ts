import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readConfig, readFleetFile } from './config'
import { newFolder, plan } from './testing'

test('the command line goes before the environment, and that before what is usual', () => {
  expect(readConfig([], {})).toMatchObject({ rate: 1, machineLimit: 200, url: null, dataDir: 'data' })
  const env = { DEMO_RATE: '12', DEMO_MACHINES: '3', DATA_DIR: '/d', MQTT_URL: 'mqtt://b:1' }
  expect(readConfig([], env)).toMatchObject({ rate: 12, file: join('/d', 'demo', 'fleet.json') })
  const config = readConfig(['--rate', '5', '--duplicates', '0.2', '--no-refill'], { ...env, FLEET_FILE: '/f.json' })
  expect(config).toMatchObject({ rate: 5, duplicateShare: 0.2, hasRefills: false, file: '/f.json' })
  const troubled = readConfig(['--heat', '0.1', '--door', '0.2', '--no-change', '1'], {})
  expect(troubled).toMatchObject({ hotShare: 0.1, openDoorShare: 0.2, noChangeShare: 1 })
  expect(() => readConfig(['--jam', '2'], {})).toThrow('--jam')
  expect(() => readConfig(['--rate', 'many'], {})).toThrow('--rate')
  expect(() => readConfig(['--speed', '1'], {})).toThrow()
})

test('a fleet file is waited for, cut to the limit and checked; a sign-in in the address is no machine’s', () => {
  const dataDir = newFolder()
  const file = join(dataDir, 'fleet.json')
  const read = (args: string[] = []) => readFleetFile(readConfig(['--file', file, ...args], {}))
  expect(read()).toBeNull()
  const machines = ['M1001', 'M1002', 'M1003'].map((code) => plan({ code }))
  writeFileSync(file, JSON.stringify({ mqttUrl: 'mqtt://server:pw@broker:1883', machines }))
  expect(read(['--machines', '2'])?.machines.map(({ code }) => code)).toEqual(['M1001', 'M1002'])
  expect(read()?.url).toBe('mqtt://broker:1883')
  expect(read(['--url', 'mqtts://other'])?.url).toBe('mqtts://other')
  writeFileSync(file, JSON.stringify({ machines: [{ code: 'M1001' }] }))
  expect(() => read()).toThrow('M1001 is not complete')
})
