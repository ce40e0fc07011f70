import { z } from 'zod'
import type { AlipayParameters, Answer, Ask } from './alipay.channel'
import { ownTrouble } from './alipay.trouble'
import type { SplitAnswer, SplitAsk, SplitReceiver, Splits, SplitStepAnswer } from './channel.types'
import { fromYuan, toYuan } from './yuan.rules'

/**
 * Royalties of face-to-face payments (opendocs.alipay.com): bound once, settled asynchronously so that one receiver's
 * failure is not everybody's. A refund takes each receiver's part back by itself, in proportion.
 */
export function alipaySplits(ask: Ask, { sellerId }: AlipayParameters): Splits {
  const query = async (asked: SplitAsk) => {
    const content = { trade_no: asked.attempt.channelNo, out_request_no: asked.splitNo }
    return splitOf(await ask('query_split', asked.splitNo, 'alipay.trade.order.settle.query', content))
  }
  return {
    bind: async (receiver, isBound, reference) => {
      const method = `alipay.trade.royalty.relation.${isBound ? 'bind' : 'unbind'}`
      const one = { ...named(receiver), ...(isBound ? { name: receiver.name } : {}) }
      return stepOf(await ask('split_receiver', reference, method, { receiver_list: [one], out_request_no: reference }))
    },
    split: async (asked) => {
      const answer = await ask('split', asked.splitNo, 'alipay.trade.order.settle', settle(asked, sellerId, false))
      const step = stepOf(answer)
      if (step.outcome === 'done') return query(asked)
      // Used before: the query says what became of it.
      if (step.code === 'ACQ.DISCORDANT_REPEAT_REQUEST') return query(asked)
      return { outcome: step.outcome, shares: [], code: step.code }
    },
    querySplit: query,
    finishSplit: async (asked) => {
      const content = settle({ ...asked, shares: [] }, sellerId, true)
      return stepOf(await ask('split', asked.splitNo, 'alipay.trade.order.settle', content))
    },
    returnSplit: null,
  }
}

const types = { login: 'loginName', user_id: 'userId' } as const
const named = ({ type, account }: SplitReceiver) => ({ type: type === 'login' ? types.login : types.user_id, account })

const settle = ({ splitNo, attempt, shares, reason }: SplitAsk, sellerId: string, isLast: boolean) => ({
  out_request_no: splitNo,
  trade_no: attempt.channelNo,
  royalty_mode: 'async',
  royalty_parameters: shares.map(({ receiver, amountFen }) => ({
    royalty_type: 'transfer',
    ...(sellerId ? { trans_out_type: 'userId', trans_out: sellerId } : {}),
    trans_in_type: named(receiver).type,
    trans_in: receiver.account,
    amount: toYuan(amountFen),
    desc: reason.slice(0, 100),
  })),
  extend_params: { royalty_finish: String(isLast) },
})

function stepOf(answer: Answer | null): SplitStepAnswer {
  const code = answer?.code ?? null
  if (!answer?.isProven || code === null || ownTrouble.test(code)) return { outcome: 'unknown', code }
  return { outcome: answer.isOk && resultOf(answer.body) !== 'FAIL' ? 'done' : 'refused', code }
}

/** Binding says how it went beside the code that the call worked. */
function resultOf(body: unknown): string | null {
  const read = z.object({ result_code: z.string() }).safeParse(body)
  return read.success ? read.data.result_code : null
}

const told = z.object({
  royalty_detail_list: z.array(
    z.object({
      operation_type: z.string().optional(),
      trans_in: z.string(),
      amount: z.union([z.string(), z.number()]),
      state: z.enum(['SUCCESS', 'FAIL', 'PROCESSING']),
      error_code: z.string().optional(),
    }),
  ),
})
const states = { SUCCESS: 'done', FAIL: 'failed', PROCESSING: 'waiting' } as const

function splitOf(answer: Answer | null): SplitAnswer {
  const step = stepOf(answer)
  if (step.outcome === 'unknown') return { outcome: 'unknown', shares: [], code: step.code }
  // What it never heard of, and a trade that nothing was settled of, are one to it.
  if (step.outcome === 'refused') return { outcome: 'notFound', shares: [], code: step.code }
  const read = told.safeParse(answer?.body)
  if (!read.success) return { outcome: 'unknown', shares: [], code: step.code }
  const shares = read.data.royalty_detail_list
    .filter(({ operation_type: kind = 'transfer' }) => kind === 'transfer')
    .map(({ trans_in: account, amount, state, error_code = null }) => ({
      account,
      amountFen: fromYuan(String(amount)) ?? -1,
      outcome: states[state],
      code: error_code,
    }))
  return { outcome: 'taken', shares, code: null }
}
