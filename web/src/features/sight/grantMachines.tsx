import type { Endpoint } from '@aisle/contract/kernel/endpoint'
import {
  grantCalls,
  type GrantableMachine,
  grantStateNames,
  listMerchantMachines,
} from '@aisle/contract/sight/authorisation'
import { machineCategories } from '@aisle/contract/fleet/machine'
import { useState } from 'react'
import { Failure } from '../../admin/failure'
import { Ago } from '../../admin/fields/time'
import { GroupFilter } from '../../shelf/pickFilters'
import { Pager } from '../../admin/pager'
import type { ListAddress } from '../../admin/useAddress'
import { useList, useLive, useWhole } from '../../admin/useList'
import { Cards } from '../../ui/cards'
import { Empty } from '../../ui/feedback/empty'
import { ChoiceInput, SearchInput } from '../../ui/control/filters'
import { useIsPhone } from '../../ui/narrow'
import { type Column, Table, TableSkeleton } from '../../ui/table'
import { Tag } from '../../ui/tag'
import { type Text, useText } from '../../ui/text'
import { dayText } from './grantDay'
import type { Target } from './grantTarget'
import { GrantBar } from './grantBar'
import { useChosen } from './useChosen'
import styles from './grant.module.css'
import listStyles from '../../admin/list.module.css'

type Props = { target: Target; address: ListAddress; tree: Endpoint }

/** What may be authorised to the target and what is, with the means to change either for one or for thousands. */
export function GrantMachines({ target, address, tree }: Props) {
  const t = useText('sight')
  const { to: _, view: __, ...query } = address.query
  const { list } = grantCalls[target.kind]
  const asked = { ...query, id: String(target.id) }
  const found = useList(list as typeof listMerchantMachines, asked)
  useLive({ kinds: [target.kind], also: [] }, [list, tree] as const)
  const { cursor: ___, ...filter } = query
  const chosen = useChosen(found.rows, JSON.stringify(filter))
  const whole = useWhole(list as typeof listMerchantMachines, asked)
  const sums = whole.isPlaceholderData ? undefined : whole.data?.sums
  return (
    <div className={styles.machines}>
      <Filters address={address} t={t} />
      <GrantBar {...{ target, tree, chosen, filter, found: sums?.found, changeable: sums?.changeable ?? 0 }} />
      <Rows {...{ found, address, chosen, t }} />
    </div>
  )
}

function Filters({ address, t }: { address: ListAddress; t: Text<'sight'> }) {
  const fleet = useText('fleet')
  const kit = useText('admin')
  const { query, change } = address
  const choice = (name: 'state' | 'category', options: { value: string; word: string }[]) => (
    <ChoiceInput
      label={t(`field.${name}`)}
      value={query[name] ?? ''}
      all={kit('filter.all')}
      options={options}
      onChange={(value) => change({ [name]: value })}
    />
  )
  return (
    <div className={listStyles.filters} role="search" aria-label={kit('filters')}>
      <SearchInput label={t('field.q')} hint={t('hint.q')} value={query.q ?? ''} onChange={(q) => change({ q })} />
      {choice(
        'state',
        grantStateNames.map((value) => ({ value, word: t(`state.${value}`) })),
      )}
      {choice(
        'category',
        machineCategories.map((value) => ({ value, word: fleet(`category.${value}`) })),
      )}
      <GroupFilter name="groupId" query={query} change={change} t={fleet} />
      <SearchInput
        label={t('field.province')}
        value={query.province ?? ''}
        onChange={(province) => change({ province })}
      />
    </div>
  )
}

type RowsProps = {
  found: ReturnType<typeof useList<typeof listMerchantMachines>>
  address: ListAddress
  chosen: ReturnType<typeof useChosen>
  t: Text<'sight'>
}

function Rows({ found, address, chosen, t }: RowsProps) {
  const kit = useText('admin')
  const isPhone = useIsPhone()
  const [columns] = useState(() => columnsOf(t))
  const { data, error } = found
  if (!data && error) return <Failure failure={error} retry={() => void found.refetch()} />
  if (!data) return <TableSkeleton columns={columns.length} label={kit('list.loading')} />
  if (found.rows.length === 0) return <Empty icon="machine" title={t('grant.none')} text={t('grant.none.hint')} />
  const rows = {
    label: t('grant.machines'),
    columns,
    rows: found.rows,
    keyOf: ({ code }: GrantableMachine) => code,
    hrefOf: () => '',
    openKey: null,
    onOpen: undefined,
    isFresh: () => false,
    isCompact: true,
    isStale: found.isPlaceholderData,
    selection: chosen.rows,
  }
  return (
    <>
      {isPhone ? <Cards {...rows} placeOf={({ key }) => (key === 'state' ? 'aside' : 'line')} /> : <Table {...rows} />}
      <Pager address={address} nextCursor={data.nextCursor} />
    </>
  )
}

const columnsOf = (t: Text<'sight'>): Column<GrantableMachine>[] => [
  { key: 'code', head: t('field.code'), cell: ({ code }) => <code>{code}</code> },
  { key: 'name', head: t('field.name'), cell: ({ name }) => name },
  { key: 'state', head: t('field.state'), cell: (row) => <State row={row} t={t} /> },
  {
    key: 'city',
    head: t('field.city'),
    cell: ({ province, city }) => (province === city ? city : `${province} ${city}`),
  },
  { key: 'pointName', head: t('field.pointName'), cell: ({ pointName }) => pointName },
  { key: 'ownerName', head: t('field.ownerName'), cell: ({ ownerName }) => ownerName },
  { key: 'grantedAt', head: t('field.grantedAt'), cell: (row) => <Granted row={row} /> },
]

function State({ row, t }: { row: GrantableMachine; t: Text<'sight'> }) {
  if (!row.isGranted) return <Tag tone="idle" word={t('state.free')} />
  const word = row.endsAt ? t('state.until', { day: dayText(row.endsAt) }) : t('state.granted')
  return <Tag tone="good" word={word} hint={row.mayChange ? undefined : t('state.byOthers')} />
}

function Granted({ row: { grantedAt, grantedBy } }: { row: GrantableMachine }) {
  if (!grantedAt) return <span className="cell-quiet">–</span>
  return (
    <>
      <Ago at={grantedAt} /> {grantedBy && <span className="cell-quiet">{grantedBy}</span>}
    </>
  )
}
