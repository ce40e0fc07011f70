import {
  addArea,
  addDistrict,
  area as areaEntity,
  listAreas,
  listDistricts,
  removeArea,
  removeDistrict,
  renameArea,
  renameDistrict,
} from '@aisle/contract/fleet/area'
import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { screenOf } from '@aisle/contract/screens'
import { use } from 'react'
import { z } from 'zod'
import { CommandButton } from '../../../admin/commandButton'
import { Failure } from '../../../admin/failure'
import { ScreenLink } from '../../../admin/fields/ref'
import { MerchantInput } from '../../../admin/form/refInput'
import { PartsContext } from '../../../admin/parts'
import { useAddress } from '../../../admin/useAddress'
import { useLive } from '../../../admin/useList'
import { useEndpoint } from '../../../live/query'
import { Empty } from '../../../ui/feedback/empty'
import { Facts } from '../../../ui/facts'
import { Hints } from '../../../ui/feedback/hint'
import { useText } from '../../../ui/text'
import { Tree } from '../../../ui/control/tree'
import type { TreeNode } from '../../../ui/control/tree.rules'
import styles from './areaTree.module.css'
import { classes } from '../../../ui/classes'

type Area = OutputOf<typeof listAreas>['items'][number]
type District = Area['districts'][number]

const screen = screenOf('shj/dwgl')
const shape = {
  place: z
    .string()
    .regex(/^[ad][1-9]\d{0,15}$/)
    .optional(),
}
const shown = [listAreas, listDistricts] as const
const live = { kinds: ['area', 'district', 'point'], also: [] }

/** For whoever plans the network, a few times a year: areas, the districts in them, and what stands in each. */
export function AreaTree() {
  const t = useText('fleet')
  const title = useText('screens').any(screen.key)
  const parts = use(PartsContext)
  const { query, show } = useAddress(screen.path, shape)
  const { data, error, refetch } = useEndpoint(listAreas, {}, { errors: 'throw' })
  useLive(live, shown)
  if (!data) return error ? <Failure failure={error} retry={() => void refetch()} /> : <div className="bone" />
  const areas = data.items
  const ids = idsOf(areas)
  const chosen = query.place ?? ''
  const [picked] = [...ids].filter(([, place]) => place === chosen).map(([id]) => id)
  return (
    <div className="list-main">
      <header className="list-head">
        <h1>{title}</h1>
        <div className="list-actions">
          <CommandButton
            endpoint={addArea}
            verb="addArea"
            t={t}
            tone="main"
            fields={areaEntity.fields}
            names={['merchantId', 'name']}
            inputs={{ merchantId: MerchantInput }}
            changes={shown}
            onDone={({ id }) => show({ place: `a${id}` })}
          />
        </div>
      </header>
      {parts}
      <div className={styles.page}>
        <section className={classes('list-card', styles.tree)} aria-label={title}>
          {areas.length === 0 ? (
            <Empty icon="grid" title={t('area.none')} text={t('area.none.hint')} />
          ) : (
            <Tree
              label={t('area.tree')}
              mode="single"
              hasSearch
              nodes={nodesOf(areas)}
              selected={new Set(picked === undefined ? [] : [picked])}
              onSelect={([id]) => show(id === undefined ? {} : { place: ids.get(id) ?? '' })}
            />
          )}
        </section>
        <section className={classes('list-card', styles.side)} aria-label={t('area.chosen')}>
          <Chosen areas={areas} place={chosen} onGone={() => show({})} />
        </section>
      </div>
      <Hints />
    </div>
  )
}

/** Areas and districts number themselves; in the tree one is even, the other odd. */
const nodesOf = (areas: readonly Area[]): TreeNode[] =>
  areas.flatMap((area) => [
    { id: area.id * 2, parentId: null, name: area.name, note: area.merchantName, count: sumOf(area, 'pointCount') },
    ...area.districts.map(({ id, name, pointCount }) => ({
      id: id * 2 + 1,
      parentId: area.id * 2,
      name,
      count: pointCount,
    })),
  ])

const idsOf = (areas: readonly Area[]): ReadonlyMap<number, string> =>
  new Map(
    areas.flatMap((area) => [
      [area.id * 2, `a${area.id}`] as const,
      ...area.districts.map(({ id }) => [id * 2 + 1, `d${id}`] as const),
    ]),
  )

const sumOf = ({ districts }: Area, what: 'pointCount' | 'machineCount'): number =>
  districts.reduce((sum, district) => sum + district[what], 0)

function Chosen({ areas, place, onGone }: { areas: readonly Area[]; place: string; onGone: () => void }) {
  const t = useText('fleet')
  const id = Number(place.slice(1))
  const area = areas.find((each) =>
    place.startsWith('a') ? each.id === id : each.districts.some((district) => district.id === id),
  )
  const district = place.startsWith('d') ? area?.districts.find((each) => each.id === id) : undefined
  if (!area) return <Empty icon="grid" title={t('area.nothing')} text={t('area.nothing.hint')} />
  if (district) return <DistrictPanel area={area} district={district} onGone={onGone} />
  return <AreaPanel area={area} onGone={onGone} />
}

function AreaPanel({ area, onGone }: { area: Area; onGone: () => void }) {
  const t = useText('fleet')
  const { id, version, name } = area
  const common = { t, vars: { name }, changes: shown }
  return (
    <div className={styles.parts}>
      <h2>{name}</h2>
      <Facts
        facts={[
          { label: t('field.merchantName'), value: area.merchantName },
          { label: t('field.districtName'), value: String(area.districts.length) },
          { label: t('field.pointCount'), value: String(sumOf(area, 'pointCount')) },
          { label: t('field.machineCount'), value: String(sumOf(area, 'machineCount')) },
        ]}
      />
      <p>
        <ScreenLink screen="shj/dwgl" search={{ areaId: String(id) }}>
          {t('area.points')}
        </ScreenLink>
      </p>
      <div className={styles.verbs}>
        <CommandButton
          {...common}
          endpoint={addDistrict}
          verb="addDistrict"
          tone="main"
          target={{ id }}
          names={['name']}
          fields={areaEntity.fields}
        />
        <CommandButton
          {...common}
          endpoint={renameArea}
          verb="renameArea"
          target={{ id, version }}
          names={['name']}
          fields={areaEntity.fields}
          initial={{ name }}
        />
        <CommandButton
          {...common}
          endpoint={removeArea}
          verb="removeArea"
          tone="danger"
          target={{ id }}
          isEnabled={area.districts.length === 0}
          onDone={onGone}
        />
      </div>
    </div>
  )
}

function DistrictPanel({ area, district, onGone }: { area: Area; district: District; onGone: () => void }) {
  const t = useText('fleet')
  const { id, version, name, pointCount, machineCount } = district
  const common = { t, vars: { name }, changes: shown }
  return (
    <div className={styles.parts}>
      <div>
        <p className="quiet">{area.name}</p>
        <h2>{name}</h2>
      </div>
      <Facts
        facts={[
          { label: t('field.pointCount'), value: String(pointCount) },
          { label: t('field.machineCount'), value: String(machineCount) },
        ]}
      />
      <p>
        <ScreenLink screen="shj/dwgl" search={{ districtId: String(id) }}>
          {t('area.points')}
        </ScreenLink>
      </p>
      <div className={styles.verbs}>
        <CommandButton
          {...common}
          endpoint={renameDistrict}
          verb="renameDistrict"
          target={{ id, version }}
          names={['name']}
          fields={areaEntity.fields}
          initial={{ name }}
        />
        <CommandButton
          {...common}
          endpoint={removeDistrict}
          verb="removeDistrict"
          tone="danger"
          target={{ id }}
          isEnabled={pointCount === 0}
          onDone={onGone}
        />
      </div>
    </div>
  )
}
