import {
  type AssortmentDetail,
  getAssortment,
  listAssortments,
  listPlaceable,
  setAssortment,
} from '@aisle/contract/fleet/assortment'
import { listMachineGroups } from '@aisle/contract/fleet/group'
import { listMachines } from '@aisle/contract/fleet/machine'
import { useState } from 'react'
import { refetch, useCommand } from '../../../live/query'
import { can } from '../../../live/session'
import { Section } from '../../../ui/feedback/drawer'
import { toast } from '../../../ui/feedback/notice'
import { useText } from '../../../ui/text'
import { AddNamed, type Named, NamedList } from './assortmentLists'
import { SlotWishes, type Wish } from './assortmentSlots'
import hospitalStyles from '../place/hospital.module.css'
import routeStopsStyles from '../place/routeStops.module.css'

type Plan = { products: readonly Named[]; slots: readonly Wish[]; groups: readonly Named[]; machines: readonly Named[] }

const planOf = ({ products, slots, groups, machines }: AssortmentDetail): Plan => ({
  products: products.map(({ id, code, name }) => ({ id, word: name, note: code })),
  slots,
  groups: groups.map(({ id, name }) => ({ id, word: name })),
  machines: machines.map(({ id, code, name }) => ({ id, word: `${code} ${name}` })),
})
const sentOf = ({ products, slots, groups, machines }: Plan) => ({
  productIds: products.map(({ id }) => id),
  slots: slots.filter(({ code }) => code.trim() !== ''),
  groupIds: groups.map(({ id }) => id),
  machineIds: machines.map(({ id }) => id),
})

/** Products, what is recommended for which slot, and for whom it holds: changed together, saved as a whole. */
export function AssortmentContents({ assortment }: { assortment: AssortmentDetail }) {
  const t = useText('fleet')
  const before = planOf(assortment)
  const [plan, setPlan] = useState<Plan>(before)
  const { id, version } = assortment
  const mayWrite = can(setAssortment.access)
  const isChanged = JSON.stringify(sentOf(plan)) !== JSON.stringify(sentOf(before))
  const saving = useCommand(setAssortment, {
    onSuccess: () => {
      toast('good', t('assortment.saved'))
      return refetch(listAssortments, getAssortment)
    },
  })
  const add = (what: What) => (one: Named) => setPlan({ ...plan, [what]: [...plan[what], one] })
  const drop = (what: What) => (one: number) => {
    const left = plan[what].filter((each) => each.id !== one)
    const slots = what === 'products' ? plan.slots.filter(({ productId }) => productId !== one) : plan.slots
    setPlan({ ...plan, [what]: left, slots })
  }
  return (
    <div className={hospitalStyles.parts}>
      <Section title={t('assortment.products')} note={t('assortment.products.hint')}>
        {mayWrite && (
          <AddNamed
            label={t('assortment.addProduct')}
            list={listPlaceable}
            nameOf={(row) => ({ id: row.id, word: row.name, note: row.code })}
            has={plan.products}
            onAdd={add('products')}
          />
        )}
        <NamedList rows={plan.products} none={t('assortment.products.none')} drop={mayWrite && drop('products')} />
      </Section>
      <Section title={t('assortment.slots')} note={t('assortment.slots.hint')}>
        <SlotWishes
          wishes={plan.slots}
          products={plan.products}
          isLocked={!mayWrite}
          onChange={(slots) => setPlan({ ...plan, slots })}
        />
      </Section>
      <Targets plan={plan} mayWrite={mayWrite} add={add} drop={drop} />
      {isChanged && (
        <div className={routeStopsStyles.bar}>
          <button type="button" className="btn" onClick={() => setPlan(before)}>
            {t('route.stops.undo')}
          </button>
          <button
            type="button"
            className="btn btn-main"
            aria-disabled={saving.isPending}
            onClick={() => {
              if (!saving.isPending) saving.mutate({ id, version, ...sentOf(plan) })
            }}
          >
            {t('assortment.save')}
          </button>
        </div>
      )}
    </div>
  )
}

type What = 'products' | 'groups' | 'machines'
type TargetsProps = {
  plan: Plan
  mayWrite: boolean
  add: (what: What) => (one: Named) => void
  drop: (what: What) => (id: number) => void
}

function Targets({ plan, mayWrite, add, drop }: TargetsProps) {
  const t = useText('fleet')
  return (
    <Section title={t('assortment.targets')} note={t('assortment.targets.hint')}>
      {mayWrite && (
        <>
          <AddNamed
            label={t('assortment.addGroup')}
            list={listMachineGroups}
            nameOf={(row) => ({ id: row.id, word: row.name, note: row.merchantName })}
            has={plan.groups}
            onAdd={add('groups')}
          />
          <AddNamed
            label={t('route.stop.add')}
            list={listMachines}
            nameOf={(row) => ({ id: row.id, word: `${row.code} ${row.name}` })}
            has={plan.machines}
            onAdd={add('machines')}
          />
        </>
      )}
      <NamedList rows={plan.groups} none={t('assortment.groups.none')} drop={mayWrite && drop('groups')} />
      <NamedList rows={plan.machines} none={t('assortment.machines.none')} drop={mayWrite && drop('machines')} />
    </Section>
  )
}
