import { rmSync } from 'node:fs'
import type { TestProject } from 'vitest/node'
import { startEmbedded } from './embedded'
import { migrate } from './migrate'
import { asAdmin, databaseUrl } from './testing'
import { throwAwayFolder } from './testing.places'

const quiet = { info: () => undefined, warn: console.warn, error: console.error }

/** Once a test run: a throw-away PostgreSQL, or the one of TEST_DATABASE_URL, with a migrated template to clone. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await openServer()
  const template = `template_${process.pid}`
  await asAdmin(server.url, `create database ${template}`)
  await migrate(databaseUrl(server.url, template), quiet)
  project.provide('testDatabase', { url: server.url, template })
  return async () => {
    await asAdmin(server.url, `drop database if exists ${template} with (force)`)
    await server.close()
  }
}

async function openServer(): Promise<{ url: string; close: () => Promise<void> }> {
  const external = process.env.TEST_DATABASE_URL
  if (external) return { url: external, close: async () => undefined }
  const dataDir = throwAwayFolder('test')
  const { url, stop } = await startEmbedded({ dataDir, log: quiet, isDurable: false })
  const close = async () => {
    await stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
  return { url, close }
}
