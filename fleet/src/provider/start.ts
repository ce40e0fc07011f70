import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { hash32 } from '../random'
import type { Clock } from '../machine/clock'
import type { FleetConfig } from '../config'
import type { ProviderFile } from './keys'
import type { Mischief } from './settings'
import { type StandIn, startStandIn } from './standIn'
import type { TraceHow } from './traces'

/** As quick and as reliable as channels are on a good day: one payment in a hundred is never told. */
const usual: Partial<Mischief> = {
  answerMs: [20, 150],
  notifyMs: [200, 1_500],
  refundMs: [1_000, 8_000],
  untoldShare: 0.01,
  silentShare: 0.002,
}
/** WeChat's first pauses; the rest of its day is too long for a demo. */
const AGAIN_MS = [15_000, 15_000, 30_000, 180_000]

/** One pack in twenty is looked at for a while; a few are refused until somebody enters another batch. */
const traces: Partial<TraceHow> = {
  delays: ({ code }) => (hash32(code) % 20 === 3 ? 2 : 0),
  refuses: ({ code, batch }) => (hash32(`${code}/${batch}`) % 400 === 7 ? '批号与生产企业登记的不符' : null),
}

/** The demo's payment provider and regulator, where the server has made their keys; null where there is none to run. */
export async function startProvider(
  { dataDir, providerPort, seed }: FleetConfig,
  clock: Clock,
): Promise<StandIn | null> {
  const path = join(dataDir, 'demo', 'provider.json')
  if (providerPort === null || !existsSync(path)) return null
  return startStandIn({
    file: JSON.parse(readFileSync(path, 'utf8')) as ProviderFile,
    port: providerPort,
    nowMs: clock.wallMs,
    journal: join(dataDir, 'demo', 'provider.jsonl'),
    isLenient: true,
    mischief: usual,
    traces,
    againMs: AGAIN_MS,
    seed,
  })
}
