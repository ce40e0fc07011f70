import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { between, chance, seeded } from '../random'
import { alipay, alipayFile, alipayNotice } from './alipay'
import { type BankHow, openBankStandIn } from './bank'
import { type Answer, type Core, type Deliver, pay, type Request } from './core'
import { payPage } from './page'
import type { ProviderFile } from './keys'
import { type BillFault, honest, type Mischief } from './settings'
import { openTraces, type TraceHow } from './traces'
import { openTruth, type Refund, type Trade } from './truth'
import { unionpay, unionPayNotice } from './unionpay'
import { wechat, wechatNotice } from './wechat'

export type StandIn = {
  url: string
  /** Changed at any time; from then on it goes so. */
  mischief: Mischief
  faults: BillFault[]
  /** A customer pays what was scanned. @returns why not, null when it is paid */
  pay: (payUrl: string, paidFen?: number) => string | null
  trade: (no: string) => Trade | undefined
  trades: () => Trade[]
  /** Tells of a payment or refund again, as it stands. */
  tellAgain: (no: string) => void
  /** Nothing is under way any more: neither answers nor notifications. */
  quiet: () => Promise<void>
  /** Nothing was ever paid here and nothing goes wrong, as at the start. Only while it is quiet. */
  forget: (seed: number) => void
  stop: () => Promise<void>
}

type Options = {
  file: ProviderFile
  port?: number
  nowMs: () => number
  deliver?: Deliver
  /** Where payments and refunds are remembered; in memory alone without it. */
  journal?: string
  isLenient?: boolean
  mischief?: Partial<Mischief>
  /** How the regulator's platform answers, which listens here too. */
  traces?: Partial<TraceHow>
  /** How the bank that pays merchants behaves, which listens here as well. */
  bank?: Partial<BankHow>
  /** Pauses before a notification that was not taken is sent again. */
  againMs?: readonly number[]
  seed?: number
}

/** Speaks as WeChat Pay, Alipay and UnionPay do, with keys of its own. For tests and for the demo; moves no money. */
export async function startStandIn(options: Options): Promise<StandIn> {
  const { file, nowMs, deliver = post, againMs = [], seed = 1 } = options
  const mischief: Mischief = { ...honest, ...options.mischief }
  const work = keepWork()
  const core: Core = {
    file,
    mischief,
    ...besides(options),
    truth: openTruth(options.journal ?? null, Math.floor(nowMs() / 1000) + seed),
    faults: [],
    random: seeded(seed),
    nowMs,
    isLenient: options.isLenient ?? false,
    baseUrl: () => url,
    later: work.later,
    tell: (trade, refund) => {
      for (let copy = 0; copy < mischief.copies; copy += 1) {
        const notice = notices[trade.provider](core, trade, refund)
        if (notice.url !== '') work.later(() => send(notice), between(core.random, mischief.notifyMs))
      }
    },
  }

  async function send(notice: Notice, tried = 0): Promise<void> {
    const said = await deliver(notice.url, notice.headers, notice.body)
    const pauseMs = againMs[tried]
    if ((said && notice.isTaken(said.status, said.body)) || pauseMs === undefined) return
    work.later(() => send(notice, tried + 1), pauseMs)
  }

  const server = createServer((request, response) => {
    work.add(respond(core, request, response).catch(() => void response.destroy()))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(options.port ?? 0, '127.0.0.1', resolve)
  })
  const address = server.address()
  const url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
  const tradeOf = (no: string) => [...core.truth.all()].find((trade) => trade.no === no)
  return {
    url,
    mischief,
    faults: core.faults,
    pay: (payUrl, paidFen) => {
      const trade = core.truth.findByToken(payUrl.split('/').at(-1) ?? '')
      return trade ? pay(core, trade, paidFen) : 'unknown'
    },
    trade: tradeOf,
    trades: () => [...core.truth.all()],
    tellAgain: (no) => {
      const trade = tradeOf(no)
      if (trade) core.tell(trade, null)
      for (const each of core.truth.all()) {
        for (const refund of each.refunds) if (refund.no === no) core.tell(each, refund)
      }
    },
    quiet: work.quiet,
    forget: (again) => {
      Object.assign(mischief, honest, options.mischief)
      core.faults.length = 0
      core.truth = openTruth(null, Math.floor(nowMs() / 1000) + again)
      core.random = seeded(again)
    },
    stop: async () => {
      work.stop()
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

/** Who listens here beside the three providers, each with its own way of knowing who asks. */
const besides = ({ file, traces, bank }: Options) => ({
  traces: openTraces((enterprise) => file.enterprises?.[enterprise], traces),
  bank: openBankStandIn((customer) => file.customers?.[customer], bank),
})

/** What is under way: answers that are being written, and what is to happen later. */
function keepWork() {
  const work = new Set<Promise<void>>()
  const timers = new Map<NodeJS.Timeout, () => void>()
  let isStopped = false
  const add = (done: Promise<void>) => {
    work.add(done)
    void done.finally(() => work.delete(done))
  }
  const wait = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(() => {
        timers.delete(timer)
        resolve()
      }, ms)
      timers.set(timer, resolve)
    })
  const later: Core['later'] = (run, afterMs) => add(wait(afterMs).then(() => (isStopped ? undefined : run())))
  return {
    add,
    later,
    quiet: async () => {
      while (work.size > 0) await Promise.all(work)
    },
    /** Nothing of what was to happen later happens any more. */
    stop: () => {
      isStopped = true
      for (const [timer, resolve] of timers) {
        clearTimeout(timer)
        resolve()
      }
    },
  }
}

type Notice = {
  url: string
  headers: Record<string, string>
  body: string
  isTaken: (status: number, said: string) => boolean
}
const notices: Record<Trade['provider'], (core: Core, trade: Trade, refund: Refund | null) => Notice> = {
  wechat: wechatNotice,
  alipay: alipayNotice,
  unionpay: unionPayNotice,
}

async function respond(core: Core, incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  const [path = '/', query = ''] = (incoming.url ?? '/').split('?', 2)
  const headers = Object.fromEntries(Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]))
  const request = {
    method: incoming.method ?? 'GET',
    path,
    query,
    headers,
    body: Buffer.concat(chunks).toString('utf8'),
  }
  const answer = answerTo(core, request)
  const { answerMs, silentShare } = core.mischief
  if (answerMs[1] > 0) await new Promise((resolve) => setTimeout(resolve, between(core.random, answerMs)))
  // Done, and the line is cut before the answer is out.
  if (!path.startsWith('/pay/') && chance(core.random, silentShare)) return void response.destroy()
  response.writeHead(answer.status, answer.headers).end(answer.body)
}

function answerTo(core: Core, request: Request): Answer {
  const { path, query } = request
  if (path.startsWith('/v3/')) return wechat(core, request)
  if (path === '/gateway.do') return alipay(core, request)
  if (path.startsWith('/gateway/api/') || path === '/') return unionpay(core, request)
  if (path.startsWith('/pay/')) return payPage(core, request)
  if (path === '/traces') return tracesAnswer(core, request)
  if (path === '/bank') return bankAnswer(core, request)
  if (path !== '/alipay/bill') return { status: 404, headers: {}, body: '' }
  const file = alipayFile(core, new URLSearchParams(query).get('token') ?? '')
  return { status: 200, headers: { 'content-type': 'application/zip' }, body: file }
}

function tracesAnswer({ traces }: Core, { headers, body }: Request): Answer {
  const said = traces.hear(headers, body)
  return { status: said === null ? 401 : 200, headers: { 'content-type': 'application/json' }, body: said ?? '' }
}

/** Silence is no answer that a client could read. */
function bankAnswer({ bank }: Core, { headers, body }: Request): Answer {
  const said = bank.hear(headers, body)
  return { status: said?.status ?? 504, headers: { 'content-type': 'application/json' }, body: said?.body ?? '' }
}

const PATIENCE_MS = 5_000

async function post(url: string, headers: Record<string, string>, body: string) {
  try {
    const answer = await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(PATIENCE_MS) })
    return { status: answer.status, body: await answer.text() }
  } catch {
    return null
  }
}
