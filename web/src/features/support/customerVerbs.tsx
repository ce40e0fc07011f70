import {
  answerCustomerCase,
  chooseCustomerOrder,
  closeCustomerCase,
  customerState,
  getCustomerCase,
  listCustomerCases,
  refundCustomerCase,
  reopenCustomerCase,
  summariseCustomerCases,
  takeCustomerCase,
} from '@aisle/contract/support/customer'
import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { useMemo } from 'react'
import { CommandButton } from '../../admin/commandButton'
import { useText } from '../../ui/text'
import { answerInputIn } from './answerInput'

export type CustomerDetail = OutputOf<typeof getCustomerCase>
export const shownCases = [listCustomerCases, getCustomerCase, summariseCustomerCases] as const
const money = { amountFen: { kind: 'money' } } as const

/** What is next stands first: the money, then the answer. */
export function CustomerVerbs({ one }: { one: CustomerDetail }) {
  const t = useText('support')
  const { id, work, order, language, amountFen } = one
  const Answer = useMemo(() => answerInputIn(language), [language])
  const leftFen = order?.leftFen ?? 0
  const common = { t, target: { id }, vars: { id, orderNo: order?.orderNo ?? '' }, changes: shownCases }
  if (customerState.can(work, 'reopen') && !customerState.can(work, 'answer')) {
    return (
      <>
        <CommandButton {...common} endpoint={reopenCustomerCase} verb="reopenCustomerCase" />
        {customerState.can(work, 'close') && (
          <CommandButton {...common} endpoint={closeCustomerCase} verb="closeCustomerCase" />
        )}
      </>
    )
  }
  return (
    <>
      <CommandButton
        {...common}
        endpoint={refundCustomerCase}
        verb="refundCustomerCase"
        fields={money}
        initial={{ amountFen: Math.min(amountFen, leftFen) || leftFen }}
        isEnabled={leftFen > 0}
        tone="main"
      />
      <CommandButton
        {...common}
        endpoint={answerCustomerCase}
        verb="answerCustomerCase"
        inputs={{ body: Answer }}
        tone={leftFen > 0 ? undefined : 'main'}
      />
      {customerState.can(work, 'take') && (
        <>
          <CommandButton
            {...common}
            endpoint={takeCustomerCase}
            verb="takeCustomerCase"
            isEnabled={one.assigneeId === null}
          />
          <CommandButton {...common} endpoint={chooseCustomerOrder} verb="chooseCustomerOrder" />
        </>
      )}
      <CommandButton {...common} endpoint={closeCustomerCase} verb="closeCustomerCase" />
    </>
  )
}
