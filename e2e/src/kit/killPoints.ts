import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

export type Points = { folder: string; env: Record<string, string> }

/** A server started with `env` passes points at which it can be killed (`points.mjs`). */
export function openPoints(): Points {
  const folder = mkdtempSync(join(tmpdir(), 'aisle-points-'))
  const preload = pathToFileURL(join(import.meta.dirname, 'points.mjs')).href
  writeFileSync(join(folder, 'at'), '')
  return { folder, env: { DEMO: '0', POINTS: folder, NODE_OPTIONS: `--import ${preload}` } }
}

/** From here on points are counted, and the process dies at one of them. */
export function arm({ folder }: Points, round: string, point = ''): void {
  writeFileSync(join(folder, 'passed'), '')
  writeFileSync(join(folder, 'at'), `${round}\n${point}`)
}
export const disarm = ({ folder }: Points) => writeFileSync(join(folder, 'at'), '')
export const passed = ({ folder }: Points) => readFileSync(join(folder, 'passed'), 'utf8').split('\n').filter(Boolean)
