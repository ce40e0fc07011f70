import { listTests, startTest, testScopes } from '@aisle/contract/device/machineTest'
import { listSlots } from '@aisle/contract/fleet/machine'
import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { useRef } from 'react'
import { FormBody } from '../../admin/form/formBody'
import { useFocusFault } from '../../admin/form/focus'
import { controlProps, type InputProps } from '../../admin/form/input'
import { useForm } from '../../admin/form/useForm'
import { refetch, useEndpoint } from '../../live/query'
import { can } from '../../live/session'
import { useText } from '../../ui/text'
import styles from './test.module.css'
import formStyles from '../../admin/form/form.module.css'

type Slot = OutputOf<typeof listSlots>['items'][number]

/** One slot, a layer or all; and whether what falls out goes back, since that decides about the stock. */
export function StartTest(props: { machineId: number; slot: string; onStarted: (id: number) => void }) {
  const { machineId, slot: asked, onStarted } = props
  const t = useText('device')
  const holder = useRef<HTMLDivElement>(null)
  const { data } = useEndpoint(listSlots, { id: machineId }, { errors: 'silent' })
  const slots = data?.items ?? []
  const spec = {
    endpoint: startTest,
    t,
    fields: { scope: { kind: 'state' as const, words: 'testScope', tones: {} } },
    names: ['scope', 'slot', 'layer', 'putsBack', 'reason'],
    inputs: { slot: SlotChoice, layer: LayerChoice },
    initial: { scope: asked ? 'slot' : testScopes[0], putsBack: true, machineId, ...(asked && { slot: asked }) },
    target: { id: machineId },
    without: ({ scope }: Record<string, unknown>) => [
      ...(scope === 'slot' ? [] : ['slot']),
      ...(scope === 'layer' ? [] : ['layer']),
    ],
  }
  const form = useForm(spec, async ({ id }) => {
    onStarted(id)
    await refetch(listTests)
  })
  const failed = useFocusFault(holder, form.failure)
  if (!can(startTest.access)) return null
  const { scope, slot, layer } = form.values
  const chosen = slots.filter(
    (each) => scope === 'all' || (scope === 'slot' ? each.code === slot : each.layer === layer),
  )
  return (
    <section className={styles.card} ref={holder}>
      <h2>{t('test.start')}</h2>
      <p className="quiet">{t('test.startHint')}</p>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (!form.submit()) failed()
        }}
      >
        <div className={formStyles.body}>
          <FormBody spec={spec} form={form} />
        </div>
        <button type="submit" className="btn btn-main" disabled={form.isPending}>
          {t('test.run', { count: chosen.length })}
        </button>
      </form>
    </section>
  )
}

/** Of the machine that the form is about. */
function useSlots({ machineId }: InputProps['values']): readonly Slot[] {
  return useEndpoint(listSlots, { id: Number(machineId) }, { errors: 'silent' }).data?.items ?? []
}

function SlotChoice(props: InputProps) {
  const slots = useSlots(props.values)
  const t = useText('device')
  const kit = useText('admin')
  return (
    <select
      {...controlProps(props)}
      value={typeof props.value === 'string' ? props.value : ''}
      onChange={({ target }) => props.onChange(target.value)}
    >
      <option value="">{kit('form.choose')}</option>
      {slots.map(({ code, productName, stock }) => (
        <option key={code} value={code}>
          {productName ? t('ship.slot', { code, productName, stock }) : code}
        </option>
      ))}
    </select>
  )
}

function LayerChoice(props: InputProps) {
  const slots = useSlots(props.values)
  const kit = useText('admin')
  const t = useText('device')
  const layers = [...new Set(slots.map(({ layer }) => layer))].sort((a, b) => a - b)
  return (
    <select
      {...controlProps(props)}
      value={typeof props.value === 'number' ? props.value : ''}
      onChange={({ target }) => props.onChange(target.value ? Number(target.value) : null)}
    >
      <option value="">{kit('form.choose')}</option>
      {layers.map((layer) => (
        <option key={layer} value={layer}>
          {t('test.layer', { layer, count: slots.filter((slot) => slot.layer === layer).length })}
        </option>
      ))}
    </select>
  )
}
