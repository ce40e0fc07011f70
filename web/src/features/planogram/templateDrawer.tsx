import {
  copyTemplate,
  editTemplate,
  getTemplate,
  listTemplates,
  removeTemplate,
  type TemplateDetail,
} from '@aisle/contract/planogram/template'
import { screenOf } from '@aisle/contract/screens'
import { Link } from '@tanstack/react-router'
import { CommandButton } from '../../admin/commandButton'
import { Ago } from '../../admin/fields/time'
import { RemoveButton } from '../../admin/removeButton'
import { type DrawerRow, RowDrawer } from '../../admin/rowDrawer'
import { useEndpoint } from '../../live/query'
import { can } from '../../live/session'
import { Facts } from '../../ui/facts'
import { Money } from '../../ui/money'
import { useText } from '../../ui/text'
import { slotCode } from '@aisle/contract/fleet/layout'
import styles from './apply.module.css'

export function TemplateDrawer({ id }: DrawerRow) {
  const result = useEndpoint(getTemplate, { id }, { errors: 'throw' })
  return (
    <RowDrawer result={result} title={({ name }) => name} actions={(template) => <Verbs template={template} />}>
      {(template) => <About template={template} />}
    </RowDrawer>
  )
}

function Verbs({ template: { id, name, remark, machineCount } }: { template: TemplateDetail }) {
  const t = useText('planogram')
  const to = screenOf('shj/shjMbset').path
  if (!can(editTemplate.access)) return null
  return (
    <>
      <Link className="btn btn-main" to={to} search={{ id: String(id), view: 'apply' }}>
        {t('template.tab.apply')}
      </Link>
      <Link className="btn" to={to} search={{ id: String(id) }}>
        {t('template.tab.edit')}
      </Link>
      <CommandButton
        endpoint={copyTemplate}
        verb="copyTemplate"
        t={t}
        target={{ id }}
        vars={{ name }}
        initial={{ name: t('template.copyOf', { name }).slice(0, 60), remark }}
        changes={[listTemplates]}
      />
      <RemoveButton
        endpoint={removeTemplate}
        verb="removeTemplate"
        t={t}
        target={{ id }}
        vars={{ name }}
        isEnabled={machineCount === 0}
        changes={[listTemplates]}
      />
    </>
  )
}

function About({ template }: { template: TemplateDetail }) {
  const t = useText('planogram')
  const fleet = useText('fleet')
  const { remark, merchantName, slots, machines, machineCount, behindCount, updatedAt, updatedBy, thermostat } =
    template
  const { flowAlarmMb, temperatureMinC, temperatureMaxC, humidityMin, humidityMax } = template
  const between = (low: number | null, high: number | null, unit: string) =>
    low === null && high === null ? '' : `${low ?? '–'} – ${high ?? '–'} ${unit}`
  return (
    <>
      <Facts
        facts={[
          { label: t('field.merchantName'), value: merchantName },
          { label: t('field.remark'), value: remark },
          {
            label: t('field.machineCount'),
            value: `${machineCount}${behindCount > 0 ? ` · ${t('template.behind', { count: behindCount })}` : ''}`,
          },
          { label: t('setting.flowAlarmMb'), value: flowAlarmMb === null ? '' : `${flowAlarmMb} M` },
          { label: t('setting.temperature'), value: between(temperatureMinC, temperatureMaxC, '°C') },
          { label: t('setting.humidity'), value: between(humidityMin, humidityMax, '%') },
          {
            label: t('setting.thermostat'),
            value: thermostat ? `${fleet(`thermostat.${thermostat.mode}`)} ${thermostat.workingC} °C` : '',
          },
          {
            label: t('field.updatedAt'),
            value: (
              <>
                <Ago at={updatedAt} /> {updatedBy}
              </>
            ),
          },
        ]}
      />
      {machines.length > 0 && (
        <p className={styles.templateHead}>
          {machines.slice(0, 12).map(({ id, code }) => (
            <Link key={id} to={screenOf('shj/hdgl').path} search={{ id: String(id) }}>
              {code}
            </Link>
          ))}
        </p>
      )}
      <ul className={styles.previewSlots} tabIndex={0} aria-label={t('field.slotCount')}>
        {slots.map((slot) => (
          <li key={slotCode(slot.layer, slot.position)}>
            <b>{slotCode(slot.layer, slot.position)}</b> {slot.productName ?? t('slot.none')}{' '}
            <span className="quiet">
              {slot.priceFen !== null && <Money fen={slot.priceFen} />} × {slot.capacity}
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}
