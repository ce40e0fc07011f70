import { expect, test } from 'vitest'
import { readConfig } from './config'

test('an empty environment is the documented one', () => {
  const config = readConfig({})
  expect(config).toMatchObject({ host: '127.0.0.1', port: 8080, mqttPort: 18830, demo: null, role: 'all' })
  expect(config.databaseUrl).toBeUndefined()
  expect(readConfig({ DEMO: '1' }).demo).toEqual({
    machines: 200,
    days: 30,
    rate: 1,
    password: 'aisle-demo',
    isPasswordOwn: false,
    providerPort: 0,
  })
})

test('every wrong variable is named', () => {
  const wrong = { PORT: 'eighty', ROLE: 'boss', DATABASE_URL: 'mysql://x', DEMO_MACHINES: '0', MQTT_URL: 'http://x' }
  for (const name of Object.keys(wrong)) expect(() => readConfig(wrong)).toThrow(name)
})

test('a store is named with its keys', () => {
  const FILES_URL = 'https://s3.example/aisle'
  expect(() => readConfig({ FILES_URL })).toThrow(/AWS_ACCESS_KEY_ID/)
  expect(() => readConfig({ FILES_URL: 's3.example/aisle' })).toThrow(/FILES_URL/)
  const AWS_ACCESS_KEY_ID = 'id'
  expect(readConfig({ FILES_URL, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY: 'secret' }).store).toMatchObject({
    url: FILES_URL,
    secretAccessKey: 'secret',
  })
})

test('an empty variable is one that is not set', () => {
  expect(readConfig({ PORT: '', DATABASE_URL: '' })).toMatchObject({ port: 8080, databaseUrl: undefined })
})

test('a demo is shown to a network only under a password of its own', () => {
  for (const HOST of ['0.0.0.0', '::', '192.168.1.5', 'aisle.example']) {
    expect(() => readConfig({ DEMO: '1', HOST })).toThrow(/DEMO_PASSWORD/)
    expect(readConfig({ DEMO: '1', HOST, DEMO_PASSWORD: 'a long one' }).demo).toMatchObject({ password: 'a long one' })
  }
  for (const HOST of ['localhost', '127.0.0.1', '127.1.2.3', '::1'])
    expect(readConfig({ DEMO: '1', HOST }).demo).toBeTruthy()
})
