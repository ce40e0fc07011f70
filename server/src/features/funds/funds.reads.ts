import type { getFunds } from '@aisle/contract/funds/withdrawal'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { maskedNumber } from '@aisle/contract/merchant/bankAccount'
import { withdrawalSecondPerson, withdrawalWindow } from '@aisle/contract/system/settings'
import { moneyText } from '@aisle/contract/kernel/text'
import { addDays, clockTime, momentText } from '../../kernel/businessDay'
import type { CommandContext, QueryContext, Reader } from '../../kernel/context'
import { existing } from '../../kernel/refuse'
import { refuseUnseenMerchant, sightOf } from '../../kernel/scope'
import { settingOf } from '../../kernel/settings'
import { word } from '../../kernel/words'
import { feeOn, findFeeRule } from '../settlement/public'
import { accountOf, balancesOf, elsewhereOf, ownerOf, payerOf } from './funds.store'
import { ACCOUNT_WAITS_MS, applyRefusal, isOpen, withdrawableOf } from './withdrawal.rules'

/** All that asking for an amount is judged by; what is shown before and what is refused are the same. */
export async function asking(db: Reader, merchantId: number, amountFen: number, now: Date) {
  const owner = existing(await ownerOf(db, merchantId))
  const payer = await payerOf(db, merchantId)
  const account = await accountOf(db, merchantId)
  const window = await settingOf(db, withdrawalWindow, null)
  const { day, minute } = clockTime(now, owner.timeZone)
  const rule = await findFeeRule(db, merchantId, 'withdrawal', day)
  const { feeFen } = feeOn(amountFen, rule)
  const balances = await balancesOf(db, merchantId)
  const held = {
    availableFen: balances.availableFen,
    elsewhereFen: payer ? Math.max(0, await elsewhereOf(db, merchantId, payer.mode)) : 0,
  }
  const judged = {
    ...held,
    isOpen: isOpen(window, minute),
    isStopped: owner.isStopped,
    hasPayer: payer !== null,
    accountSince: account?.since ?? null,
    isReturned: account?.isReturned ?? false,
    totalFen: amountFen + feeFen,
    now,
  }
  const code = applyRefusal(judged)
  const vars = {
    ...window,
    zone: owner.timeZone,
    until: account ? momentText(new Date(account.since.getTime() + ACCOUNT_WAITS_MS)) : '',
  }
  return { owner, payer, account, window, rule, feeFen, balances, ...judged, code, vars, dueOn: addDays(day, 1) }
}

/** What a refusal says beside its code. */
export const varsOf = (
  { vars, totalFen, ...held }: Awaited<ReturnType<typeof asking>>,
  language: CommandContext['language'],
) => ({
  ...vars,
  total: moneyText(totalFen, language),
  withdrawable: moneyText(withdrawableOf(held), language),
})

export async function funds(ctx: QueryContext, input: InputOf<typeof getFunds>): Promise<OutputOf<typeof getFunds>> {
  const merchantId = input.merchantId ?? ctx.actor.merchantId
  await refuseUnseenMerchant(ctx.db, sightOf(ctx.actor), merchantId)
  const amountFen = input.amountFen ?? 0
  const asked = await asking(ctx.db, merchantId, amountFen, ctx.now())
  const { owner, payer, account, window, rule, code, balances } = asked
  return {
    merchantId,
    merchantName: owner.name,
    ...balances,
    elsewhereFen: asked.elsewhereFen,
    withdrawableFen: payer ? withdrawableOf(asked) : 0,
    payer: payer && { mode: payer.mode, holder: payer.holder, bank: payer.bank },
    account: account && { bank: account.bank, holder: account.holder, number: maskedNumber(account.tail) },
    window: { ...window, timeZone: owner.timeZone, isOpen: asked.isOpen },
    dueOn: asked.dueOn,
    fee: { ratePercent: rule.ratePpm / 10_000, minFen: rule.minFen, belowMin: rule.belowMin },
    feeFen: input.amountFen === undefined ? null : asked.feeFen,
    totalFen: input.amountFen === undefined ? null : asked.totalFen,
    limitFen: await settingOf(ctx.db, withdrawalSecondPerson, merchantId),
    refusal: code ? { code, msg: word(ctx.language, 'funds', `refusal.${code}`, varsOf(asked, ctx.language)) } : null,
  }
}
