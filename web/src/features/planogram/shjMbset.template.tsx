import { editTemplate, getTemplate, listTemplates, type TemplateDetail } from '@aisle/contract/planogram/template'
import { screenOf } from '@aisle/contract/screens'
import { Link } from '@tanstack/react-router'
import { z } from 'zod'
import { Failure } from '../../admin/failure'
import { type ListAddress, useAddress } from '../../admin/useAddress'
import { useLive } from '../../admin/useList'
import { refetch, useEndpoint } from '../../live/query'
import { Empty } from '../../ui/feedback/empty'
import { Hints } from '../../ui/feedback/hint'
import { toast } from '../../ui/feedback/notice'
import { Tabs } from '../../ui/control/tabs'
import { useText } from '../../ui/text'
import { TemplateApply } from './templateApply'
import { TemplateForm } from './templateForm'
import { TemplateMachines } from './templateMachines'
import styles from './slots.module.css'
import applyStyles from './apply.module.css'
import { classes } from '../../ui/classes'

const screen = screenOf('shj/shjMbset')
const shape = {
  id: z.coerce.number().int().positive().optional(),
  view: z.enum(['edit', 'apply', 'machines']).optional(),
}

/** For operators, when prices or ranges change: the template, who follows it, and what applying it would change. */
export default function EditTemplatePage() {
  const t = useText('planogram')
  const title = useText('screens')('shj/shjMbset')
  const address = useAddress(screen.path, shape)
  const id = Number(address.query.id ?? 0)
  return (
    <div className={classes('list-main', styles.page)}>
      <header className="list-head">
        <h1>{title}</h1>
      </header>
      {id > 0 ? (
        <Chosen key={id} id={id} address={address} />
      ) : (
        <section className="list-card">
          <Empty icon="grid" title={t('template.nobody')} text={t('template.nobody.hint')}>
            <Link className="btn" to={screenOf('shj/mbgl').path}>
              {t('template.all')}
            </Link>
          </Empty>
        </section>
      )}
      <Hints />
    </div>
  )
}

function Chosen({ id, address }: { id: number; address: ListAddress }) {
  const t = useText('planogram')
  const { data, error, refetch: again } = useEndpoint(getTemplate, { id }, { errors: 'throw' })
  useLive({ topic: 'commands', also: [] }, [getTemplate])
  if (!data)
    return error ? (
      <Failure failure={error} retry={() => void again()} />
    ) : (
      <div className={classes('bone', styles.bone)} />
    )
  return (
    <>
      <p className={applyStyles.templateHead}>
        <b>{data.name}</b>
        <span className="quiet">
          {t('template.facts', { slots: data.slotCount, machines: data.machineCount, merchant: data.merchantName })}
        </span>
        {data.behindCount > 0 && <span className="tone-warn">{t('template.behind', { count: data.behindCount })}</span>}
      </p>
      <Tabs
        label={data.name}
        current={address.query.view ?? null}
        onPick={(view) => address.change({ view })}
        tabs={[
          { key: 'edit', label: t('template.tab.edit'), panel: <Edit template={data} /> },
          { key: 'apply', label: t('template.tab.apply'), panel: <TemplateApply template={data} /> },
          {
            key: 'machines',
            label: t('template.tab.machines', { count: data.machineCount }),
            panel: <TemplateMachines template={data} />,
          },
        ]}
      />
    </>
  )
}

function Edit({ template }: { template: TemplateDetail }) {
  const t = useText('planogram')
  const { id, version, name, remark, merchantId, flowAlarmMb, temperatureMinC, temperatureMaxC } = template
  const { humidityMin, humidityMax, thermostat, slots, machineCount } = template
  const lines = slots.map(({ layer, position, productId, priceFen, capacity, alarmThreshold }) => ({
    layer,
    position,
    productId,
    priceFen,
    capacity,
    alarmThreshold,
  }))
  const limits = { flowAlarmMb, temperatureMinC, temperatureMaxC, humidityMin, humidityMax }
  const known = slots.flatMap(({ productId, productName, picture }) =>
    productId === null ? [] : [{ id: productId, name: productName ?? '', picture }],
  )
  return (
    <>
      {machineCount > 0 && <p className="quiet">{t('template.editAbout', { count: machineCount })}</p>}
      <TemplateForm
        endpoint={editTemplate}
        initial={{ name, remark, ...limits, thermostat, slots: lines }}
        target={{ id, version }}
        known={known}
        merchantId={merchantId}
        save={t('verb.editTemplate')}
        onSaved={async () => {
          toast('good', t('verb.editTemplate.done', { name }))
          await refetch(getTemplate, listTemplates)
        }}
      />
    </>
  )
}
