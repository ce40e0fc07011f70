import { merchantState } from '@aisle/contract/merchant/states'
import { getMerchant, type MerchantDetail, merchantFields } from '@aisle/contract/merchant/merchant'
import { ScreenLink } from '../../admin/fields/ref'
import { StateCell } from '../../admin/fields/state'
import { When } from '../../admin/fields/time'
import { type DrawerRow, RowDrawer } from '../../admin/rowDrawer'
import { useEndpoint } from '../../live/query'
import { Section } from '../../ui/feedback/drawer'
import { Facts } from '../../ui/facts'
import { Tabs } from '../../ui/control/tabs'
import { useText } from '../../ui/text'
import { Timeline } from '../../ui/chart/timeline'
import { DictionaryWords } from './dictionaryInputs'
import { MerchantVerbs } from './merchantVerbs'

/** Everything about a merchant: how to reach it, what it may do, who works there, and who changed what. */
export function MerchantDrawer({ id, tab, pickTab }: DrawerRow) {
  const t = useText('merchant')
  const result = useEndpoint(getMerchant, { id }, { errors: 'throw' })
  return (
    <RowDrawer
      result={result}
      title={({ code, name }) => `${code} ${name}`}
      head={(merchant) => <Head merchant={merchant} />}
      actions={(merchant) => <MerchantVerbs merchant={merchant} />}
    >
      {(merchant) => (
        <div>
          <Tabs
            label={merchant.name}
            current={tab}
            onPick={pickTab}
            tabs={[
              { key: 'facts', label: t('tab.facts'), panel: <MerchantFacts merchant={merchant} /> },
              { key: 'people', label: t('tab.people'), panel: <People merchant={merchant} /> },
              { key: 'history', label: t('tab.history'), panel: <History merchant={merchant} /> },
            ]}
          />
        </div>
      )}
    </RowDrawer>
  )
}

function Head({ merchant: { state, type, sellsWhenStopped } }: { merchant: MerchantDetail }) {
  const t = useText('merchant')
  return (
    <div className="tags">
      <StateCell value={state} field={merchantFields.state} t={t} />
      <span>{t.any(`merchantType.${type}`)}</span>
      {merchantState.is(state, 'stopped') && (
        <span className="quiet" data-hint={t.any(`machines.${sellsWhenStopped ? 'sell' : 'stop'}`)}>
          {sellsWhenStopped ? t('merchant.sellsOn') : t('merchant.sellsNot')}
        </span>
      )}
    </div>
  )
}

function MerchantFacts({ merchant }: { merchant: MerchantDetail }) {
  const t = useText('merchant')
  const { code, machineCount, licenceCount } = merchant
  const of = { merchantId: merchant.id }
  const yes = (is: boolean) => (is ? t('merchant.yes') : t('merchant.no'))
  const fact = (name: string, value: string | number | null) => ({
    label: t.any(`field.${name}`),
    value: value === '' || value === null ? null : String(value),
  })
  return (
    <>
      <Section title={t('merchant.facts')}>
        <Facts
          facts={[
            fact('way', merchant.way.join(' / ')),
            fact('loginName', merchant.loginName),
            fact('contact', merchant.contact),
            fact('phone', merchant.phone),
            fact('address', merchant.address),
            fact('servicePhone', merchant.servicePhoneShown),
            {
              label: t('field.category'),
              value: merchant.category && <DictionaryWords type="merchantCategory" codes={merchant.category} {...of} />,
            },
            {
              label: t('field.tags'),
              value: merchant.tags && <DictionaryWords type="merchantTag" codes={merchant.tags} {...of} />,
            },
            ...(merchant.stoppedAt ? [{ label: t('field.stoppedAt'), value: <When at={merchant.stoppedAt} /> }] : []),
          ]}
        />
        <p>
          <ScreenLink screen="shj/wdshj" search={{ merchantId: String(merchant.id) }}>
            {t('merchant.machines', { count: machineCount })}
          </ScreenLink>
          {' · '}
          <ScreenLink screen="shgl/zjgl" search={{ merchantId: String(merchant.id) }}>
            {t('merchant.licences', { count: licenceCount })}
          </ScreenLink>
        </p>
      </Section>
      <Section title={t('merchant.features')} note={code}>
        <Facts
          facts={[
            fact('collectsPayment', yes(merchant.collectsPayment)),
            fact('pickupCodeLimit', merchant.pickupCodeLimit),
            fact('currency', merchant.currency),
            fact('exchangeRate', merchant.currency && merchant.exchangeRate),
            fact('singleSession', yes(merchant.singleSession)),
            fact('hasHighGo', yes(merchant.hasHighGo)),
            fact('hasPharmacy', yes(merchant.hasPharmacy)),
            fact('hasShopping', yes(merchant.hasShopping)),
          ]}
        />
      </Section>
    </>
  )
}

function People({ merchant: { children, users } }: { merchant: MerchantDetail }) {
  const t = useText('merchant')
  return (
    <>
      <Section title={t('merchant.children')}>
        {children.length === 0 && <p className="quiet">{t('merchant.none')}</p>}
        <ul>
          {children.map(({ id, code, name }) => (
            <li key={id}>
              <ScreenLink screen="shgl/wdsh" search={{ open: String(id) }}>{`${code} ${name}`}</ScreenLink>
            </li>
          ))}
        </ul>
      </Section>
      <Section title={t('merchant.users')}>
        {users.length === 0 && <p className="quiet">{t('merchant.none')}</p>}
        <ul>
          {users.map(({ id, account, name }) => (
            <li key={id}>
              <ScreenLink screen="shgl/wdtd" search={{ open: String(id) }}>{`${account} ${name}`}</ScreenLink>
            </li>
          ))}
        </ul>
      </Section>
    </>
  )
}

function History({ merchant: { history } }: { merchant: MerchantDetail }) {
  const t = useText('merchant')
  const actions = useText('audit')
  if (history.length === 0) return <p className="quiet">{t('merchant.history.none')}</p>
  const wordOf = (field: string) => (t.has(`field.${field}`) ? t.any(`field.${field}`) : field)
  return (
    <Timeline
      moments={history.map(({ at, action, byName, changes }) => ({
        key: `${at} ${action}`,
        tone: 'idle',
        title: actions.any(`action.${action}`),
        when: (
          <>
            {byName} · <When at={at} />
          </>
        ),
        detail: changes.length > 0 && (
          <ul>
            {changes.map(({ field, before, after }) => (
              <li key={field}>
                {wordOf(field)}: {before ?? '–'} → {after ?? '–'}
              </li>
            ))}
          </ul>
        ),
      }))}
    />
  )
}
