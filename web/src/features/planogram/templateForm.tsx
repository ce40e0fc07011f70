import { templateFields } from '@aisle/contract/planogram/template'
import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { useState } from 'react'
import { Form } from '../../admin/form/form'
import { MerchantInput } from '../../admin/form/refInput'
import { ThermostatInput } from '../../shelf/thermostatInput'
import type { WriteEndpoint } from '../../admin/form/useForm'
import type { Values } from '../../admin/form/schema'
import { useText } from '../../ui/text'
import { type KnownProduct, templateSlotsInput } from './templateSlots'
import styles from './templateSlots.module.css'

/** All of a template, for making one and for changing one. */
export function TemplateForm<E extends WriteEndpoint>(props: {
  endpoint: E
  initial: Values
  target?: Values
  known: readonly KnownProduct[]
  /** Left out while it may still be chosen. */
  merchantId?: number
  save: string
  onSaved: (output: OutputOf<E>, values: Values) => unknown
}) {
  const { endpoint, initial, target, known, merchantId, save, onSaved } = props
  const t = useText('planogram')
  // Kept as it is, else what was picked would be forgotten with each key.
  const [SlotsInput] = useState(() => templateSlotsInput(known, merchantId))
  const basics = merchantId === undefined ? ['name', 'merchantId', 'remark'] : ['name', 'remark']
  return (
    <div className={styles.form}>
      <Form
        spec={{
          t,
          endpoint,
          fields: templateFields,
          groups: [
            { key: 'basics', names: basics },
            { key: 'slots', names: ['slots'] },
            {
              key: 'alerts',
              names: ['flowAlarmMb', 'temperatureMinC', 'temperatureMaxC', 'humidityMin', 'humidityMax'],
            },
            { key: 'thermostat', names: ['thermostat'] },
          ],
          inputs: { slots: SlotsInput, thermostat: ThermostatInput, merchantId: MerchantInput },
          initial,
          ...(target ? { target } : {}),
        }}
        save={save}
        onSaved={onSaved}
      />
    </div>
  )
}
