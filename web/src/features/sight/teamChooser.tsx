import { listTeamGrantees } from '@aisle/contract/sight/authorisation'
import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { useState } from 'react'
import { Failure } from '../../admin/failure'
import { useEndpoint } from '../../live/query'
import { SearchInput } from '../../ui/control/filters'
import { type Text, useText } from '../../ui/text'
import type { ChooserProps } from './grantPage'
import { GranteeTree } from './granteeTree'
import { matching, type Node } from './granteeTree.rules'
import type { Target } from './grantTarget'

type Team = OutputOf<typeof listTeamGrantees>
type Kind = 'merchant' | 'organisation' | 'user'

/** One number for each of three kinds of rows. */
const kinds: readonly Kind[] = ['merchant', 'organisation', 'user']
const nodeId = (kind: Kind, id: number): number => id * kinds.length + kinds.indexOf(kind)

/** Merchants hold units, units hold units and people; people without a unit stand right below their merchant. */
export function TeamChooser({ chosen, choose }: ChooserProps) {
  const t = useText('sight')
  const screens = useText('screens')
  const [q, setQ] = useState('')
  const { data, error, refetch } = useEndpoint(listTeamGrantees, q ? { q } : {}, { errors: 'throw' })
  const targets = data ? targetsOf(data, t) : new Map<number, Target>()
  const pick = (id: number) => {
    const target = targets.get(id)
    if (target) choose(target)
  }
  if (!data && error) return <Failure failure={error} retry={() => void refetch()} />
  return (
    <>
      <SearchInput label={t('tree.person')} hint={t('tree.person.hint')} value={q} onChange={setQ} />
      {!data && <div className="bone" />}
      {data && (
        <GranteeTree
          label={screens('shgl/tdjqsq')}
          nodes={q ? matching(nodesOf(data, t), q) : nodesOf(data, t)}
          chosen={chosen && nodeId(chosen.kind, chosen.id)}
          onChoose={pick}
        />
      )}
      {data?.hasMore && <p className="quiet">{t('tree.more')}</p>}
    </>
  )
}

function nodesOf({ merchants, units, people }: Team, t: Text<'sight'>): Node[] {
  const counted = (count: number) => (count > 0 ? { count } : {})
  const stopped = (isActive: boolean) => (isActive ? {} : { note: t('tree.stopped') })
  return [
    ...merchants.map(({ id, parentId, name }) => ({
      id: nodeId('merchant', id),
      parentId: parentId === null ? null : nodeId('merchant', parentId),
      name,
    })),
    ...units.map(({ id, parentId, merchantId, name, isActive, grantedCount }) => ({
      id: nodeId('organisation', id),
      parentId: parentId === null ? nodeId('merchant', merchantId) : nodeId('organisation', parentId),
      name,
      ...counted(grantedCount),
      ...stopped(isActive),
    })),
    ...people.map(({ id, unitId, merchantId, name, account, isActive, grantedCount }) => ({
      id: nodeId('user', id),
      parentId: unitId === null ? nodeId('merchant', merchantId) : nodeId('organisation', unitId),
      name: `${name} (${account})`,
      ...counted(grantedCount),
      ...stopped(isActive),
    })),
  ]
}

function targetsOf({ units, people }: Team, t: Text<'sight'>): Map<number, Target> {
  const blocked = (isActive: boolean) => (isActive ? null : ('grant.stopped' as const))
  const ofUnits = units.map(({ id, name, isActive }): [number, Target] => [
    nodeId('organisation', id),
    { kind: 'organisation', id, name, note: t('tree.unit'), blocked: blocked(isActive) },
  ])
  const ofPeople = people.map(({ id, name, account, isActive }): [number, Target] => [
    nodeId('user', id),
    { kind: 'user', id, name, note: account, blocked: blocked(isActive) },
  ])
  return new Map([...ofUnits, ...ofPeople])
}

export function useTeamTarget(key: string | undefined): Target | null {
  const t = useText('sight')
  const userId = /^user-(\d+)$/.exec(key ?? '')?.[1]
  const { data } = useEndpoint(listTeamGrantees, userId ? { userId } : {}, { errors: 'silent' })
  const targets = data ? [...targetsOf(data, t).values()] : []
  return targets.find(({ kind, id }) => key === `${kind}-${id}`) ?? null
}
