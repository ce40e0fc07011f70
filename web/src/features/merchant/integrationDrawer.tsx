import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { getIntegration, integrationFields, isOffered } from '@aisle/contract/merchant/integration'
import { countText } from '../../admin/fields/number'
import { ScreenLink } from '../../admin/fields/ref'
import { StateCell } from '../../admin/fields/state'
import { Ago, Day } from '../../admin/fields/time'
import { type DrawerRow, RowDrawer } from '../../admin/rowDrawer'
import { useEndpoint } from '../../live/query'
import { Section } from '../../ui/feedback/drawer'
import { Facts } from '../../ui/facts'
import { Tag } from '../../ui/tag'
import { useText } from '../../ui/text'
import { IntegrationVerbs } from './integrationVerbs'
import { Webhooks } from './webhooks'

export type IntegrationDetail = OutputOf<typeof getIntegration>

/** Whether it can be called now, what is left of it, and where it leads. */
export function IntegrationDrawer({ id }: DrawerRow) {
  const t = useText('merchant')
  const result = useEndpoint(getIntegration, { id }, { errors: 'throw' })
  return (
    <RowDrawer
      result={result}
      title={({ merchantName, childClass }) => `${merchantName} · ${t(`childClass.${childClass}`)}`}
      head={({ hindrance, childClass }) => (
        <div className="tags">
          {!isOffered(childClass) && (
            <Tag tone="warn" word={t('integration.notOffered')} hint={t('integration.notOffered.help')} />
          )}
          {hindrance === null ? (
            <Tag tone="good" word={t('integration.callable')} hint={t('integrationState.enabled.help')} />
          ) : (
            <StateCell value={hindrance} field={integrationFields.hindrance} t={t} />
          )}
        </div>
      )}
      actions={(config) => <IntegrationVerbs config={config} />}
    >
      {(config) => (
        <>
          {!isOffered(config.childClass) && <p className="quiet">{t('integration.notOffered.help')}</p>}
          <Section title={t('integration.section.facts')}>
            <IntegrationFacts config={config} />
          </Section>
          {config.childClass === 'event_feed' && <Webhooks config={config} />}
        </>
      )}
    </RowDrawer>
  )
}

function IntegrationFacts({ config }: { config: IntegrationDetail }) {
  const t = useText('merchant')
  const { useCount, maxCount, machineCode, secretSetAt } = config
  const used = countText(useCount)
  const machine = machineCode && (
    <ScreenLink screen="shj/wdshj" search={{ code: machineCode }}>
      {machineCode}
    </ScreenLink>
  )
  return (
    <Facts
      facts={[
        { label: t('field.merchantName'), value: `${config.merchantName} (${config.merchantCode})` },
        { label: t('field.machineCode'), value: machine ?? t('integration.wholeMerchant') },
        { label: t('field.parentClass'), value: t(`parentClass.${config.parentClass}`) },
        { label: t('field.childClass'), value: t(`childClass.${config.childClass}`) },
        { label: t('field.interfaceType'), value: t(`interfaceType.${config.interfaceType}`) },
        { label: t('field.path'), value: config.path },
        {
          label: t('field.useCount'),
          value: maxCount === null ? used : t('integration.uses', { used, max: countText(maxCount) }),
        },
        { label: t('field.maxCount'), value: maxCount === null ? t('integration.unlimited') : countText(maxCount) },
        {
          label: t('field.expiresOn'),
          value: config.expiresOn ? <Day on={config.expiresOn} /> : t('integration.never'),
        },
        { label: t('field.contractNumber'), value: config.contractNumber },
        {
          label: t('field.secretSetAt'),
          value: secretSetAt === null ? t('integration.secret.none') : <Ago at={secretSetAt} />,
        },
        { label: t('field.createdAt'), value: <Ago at={config.createdAt} /> },
      ]}
    />
  )
}
