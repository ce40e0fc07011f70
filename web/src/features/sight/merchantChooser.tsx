import { listMerchantGrantees } from '@aisle/contract/sight/authorisation'
import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { useState } from 'react'
import { Failure } from '../../admin/failure'
import { useEndpoint } from '../../live/query'
import { SearchInput } from '../../ui/control/filters'
import { type Text, useText } from '../../ui/text'
import type { ChooserProps } from './grantPage'
import { GranteeTree } from './granteeTree'
import { matching } from './granteeTree.rules'
import type { Target } from './grantTarget'

type Merchant = OutputOf<typeof listMerchantGrantees>['items'][number]

export function MerchantChooser({ chosen, choose }: ChooserProps) {
  const t = useText('sight')
  const screens = useText('screens')
  const [typed, setTyped] = useState('')
  const { data, error, refetch } = useEndpoint(listMerchantGrantees, {}, { errors: 'throw' })
  if (!data) return error ? <Failure failure={error} retry={() => void refetch()} /> : <div className="bone" />
  const nodes = data.items.map(({ id, parentId, name, code, grantedCount, isActive }) => ({
    id,
    parentId,
    name,
    ...(grantedCount > 0 ? { count: grantedCount } : {}),
    note: isActive ? code : `${code} · ${t('tree.stopped')}`,
  }))
  const pick = (picked: number) => {
    const found = data.items.find(({ id }) => id === picked)
    if (found) choose(targetOf(found, t))
  }
  return (
    <>
      <SearchInput label={t('tree.find')} hint={t('tree.find.hint')} value={typed} onChange={setTyped} />
      <GranteeTree
        label={screens('shgl/shjqsq')}
        nodes={matching(nodes, typed)}
        chosen={chosen?.id ?? null}
        onChoose={pick}
      />
    </>
  )
}

export function useMerchantTarget(key: string | undefined): Target | null {
  const t = useText('sight')
  const { data } = useEndpoint(listMerchantGrantees, {}, { errors: 'silent' })
  const found = data?.items.find(({ id }) => key === `merchant-${id}`)
  return found ? targetOf(found, t) : null
}

const targetOf = (
  { id, name, code, type, isActive, ownedCount, grantedCount }: Merchant,
  t: Text<'sight'>,
): Target => ({
  kind: 'merchant',
  id,
  name,
  note: t('tree.merchant', { code, owned: ownedCount, granted: grantedCount }),
  blocked: type === 'platform' ? 'grant.platform' : isActive ? null : 'grant.stopped',
})
