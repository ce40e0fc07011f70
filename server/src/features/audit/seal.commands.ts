import type { AuthKeys, Reader, Services } from '../../kernel/context'
import { type Anchor, readAnchor, writeAnchor } from './anchor'
import { CHAIN_START, sealHash, sealKey } from './seal.rules'
import * as sealStore from './seal.store'

const MOST_ROWS_A_SEAL = 20_000
/** Steps side by side, each on a connection of its own: the database does the work, on as many cores. */
const AT_ONCE = 3
const IDS_A_STEP = 100_000
const SEALS_A_STEP = 50

/** Seals everything that waits, in batches. @returns how many rows */
export async function sealPending(services: Pick<Services, 'db' | 'clock' | 'keys' | 'dataDir'>): Promise<number> {
  for (let sealed = 0; ; ) {
    const rows = await sealBatch(services)
    sealed += rows
    if (rows < MOST_ROWS_A_SEAL) return sealed
  }
}

async function sealBatch({ db, clock, keys, dataDir }: Pick<Services, 'db' | 'clock' | 'keys' | 'dataDir'>) {
  const made = await db.transaction().execute(async (tx) => {
    if (!(await sealStore.takeLock(tx))) return null
    const before = await sealStore.newestSeal(tx)
    const afterSeq = before?.lastSeq ?? 0
    const id = await sealStore.begin(tx, afterSeq + 1, clock.now())
    const { rows, body } = await sealStore.linkPending(tx, id, afterSeq, MOST_ROWS_A_SEAL)
    if (rows === 0 || !body) {
      await sealStore.drop(tx, id)
      return null
    }
    const lastSeq = afterSeq + rows
    const hash = sealHash(sealKey(keys), before?.hash ?? CHAIN_START, { lastSeq, rows, body })
    await sealStore.finish(tx, { id, lastSeq, rows, hash })
    return { id, lastSeq, rows, hash }
  })
  if (!made) return 0
  // After the commit: an anchor that runs ahead of its seal would cry wolf after a crash; one that lags does not.
  writeAnchor(dataDir, { id: made.id, lastSeq: made.lastSeq, hash: made.hash.toString('hex') })
  return made.rows
}

export type Verdict = { rows: number; problems: string[]; hasAnchor: boolean }

/** Reads the whole log against its chain: every change, removal, insertion or swap is one line. */
export async function verifyChain(db: Reader, keys: AuthKeys, dataDir: string): Promise<Verdict> {
  const anchor = dataDir === '' ? null : readAnchor(dataDir)
  const checked = await Promise.all([verifySeals(db, sealKey(keys), anchor), verifyRows(db)])
  const problems = checked.flat()
  const { rows } = await sealStore.idSpan(db)
  return { rows, problems, hasAnchor: anchor !== null }
}

async function verifySeals(db: Reader, key: Buffer, anchor: Anchor | null): Promise<string[]> {
  const problems: string[] = []
  let before: Buffer = CHAIN_START
  let last = { id: 0, lastSeq: 0 }
  let isAnchored = anchor === null
  for (;;) {
    const seals = await sealStore.sealsAfter(db, last.id, SEALS_A_STEP)
    if (seals.length === 0) break
    for (const seal of seals) {
      const isWhole = seal.body !== null && seal.linked === seal.rows && seal.lastSeq === last.lastSeq + seal.rows
      const fits = seal.body !== null && sealHash(key, before, { ...seal, body: seal.body }).equals(seal.hash)
      if (!isWhole || !fits) problems.push(`seal ${seal.id}: its links are not those that were sealed`)
      if (anchor?.id === seal.id && anchor.hash === seal.hash.toString('hex')) isAnchored = true
      before = seal.hash
      last = { id: seal.id, lastSeq: seal.lastSeq }
    }
  }
  if (!isAnchored) problems.push(`seal ${anchor?.id}: the chain was cut after it was kept on this machine`)
  return problems
}

async function verifyRows(db: Reader): Promise<string[]> {
  const { first, last } = await sealStore.idSpan(db)
  const problems: string[] = []
  for (let from = first - 1; from < last; from += AT_ONCE * IDS_A_STEP) {
    const steps = Array.from({ length: AT_ONCE }, (_, i) => from + i * IDS_A_STEP).filter((start) => start < last)
    const found = await Promise.all(steps.map((start) => sealStore.mismatches(db, start, start + IDS_A_STEP)))
    problems.push(...found.flat().map(({ logId, what }) => `row ${logId}: ${what}`))
  }
  const gone = await sealStore.pendingGone(db)
  return [...problems, ...gone.map((id) => `row ${id}: removed before it was sealed`)]
}
