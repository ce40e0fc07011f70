import { listMerchants } from '@aisle/contract/merchant/merchant'
import { listAgreements } from '@aisle/contract/system/agreement'
import { listSettings, settingNamed } from '@aisle/contract/system/setting'
import { settings } from '@aisle/contract/system/settings'
import { listDisplayKeys } from '@aisle/contract/wallboard/displayKey'
import { useLocation, useRouter } from '@tanstack/react-router'
import { Failure } from '../../admin/failure'
import { useUnderstood } from '../../ui/feedback/asked'
import { refetch, useEndpoint } from '../../live/query'
import { can, useSession } from '../../live/session'
import { useTopic } from '../../live/topics'
import { Tabs } from '../../ui/control/tabs'
import { useText } from '../../ui/text'
import { Agreements } from './agreements'
import { DisplayKeys } from './displayKeys'
import { SettingRow } from './settingRow'
import styles from './settings.module.css'

const groups = [...new Set(settings.map(({ group }) => group))]

/**
 * For administrators, a few times a year: what the product does differently for this merchant and all below it. First
 * what holds now and from where, since most of what is seen here is inherited.
 */
export default function SettingsPage() {
  const t = useText('system')
  const title = useText('screens').any('xtgl/sz')
  const { tab, merchantId, choose } = useChoice()
  const isPlatform = useSession()?.info?.kind === 'platform_admin'
  const seen = groups.filter((group) => group !== 'backup' || isPlatform)
  const panels = seen.map((group) => ({
    key: group as string,
    label: t(`settingGroup.${group}`),
    panel: <Group group={group} merchantId={merchantId} />,
  }))
  const boards = {
    key: 'boards',
    label: t('settingGroup.boards'),
    panel: <DisplayKeys merchantId={merchantId} />,
  }
  const shared = can(listDisplayKeys.access) ? [...panels, boards] : panels
  const agreements = { key: 'agreements', label: t('settingGroup.agreements'), panel: <Agreements /> }
  return (
    <div className={styles.settings}>
      <header className="list-head">
        <h1>{title}</h1>
        <MerchantChoice merchantId={merchantId} onChoose={(id) => choose('merchantId', id)} />
      </header>
      <Tabs
        label={title}
        tabs={isPlatform && can(listAgreements.access) ? [...shared, agreements] : shared}
        current={tab}
        onPick={(key) => choose('tab', key)}
      />
    </div>
  )
}

/** In the address: a link shows the same tab of the same merchant. */
function useChoice() {
  const { history } = useRouter()
  const text = useLocation().searchStr
  const search = new URLSearchParams(text)
  const own = useSession()?.info?.merchant.id
  const asked = Number(search.get('merchantId'))
  const isChoice = Number.isSafeInteger(asked) && asked > 0
  useUnderstood(isChoice ? ['merchantId'] : [])
  const merchantId = isChoice ? asked : own
  const choose = (name: 'tab' | 'merchantId', value: string) => {
    search.set(name, value)
    history.replace(`/xtgl/sz?${search.toString()}`)
  }
  return { tab: search.get('tab'), merchantId, choose }
}

function MerchantChoice(props: { merchantId: number | undefined; onChoose: (id: string) => void }) {
  const t = useText('system')
  const merchants = useEndpoint(listMerchants, {}).data?.items ?? []
  if (merchants.length < 2) return null
  return (
    <label className={styles.merchant}>
      {t('setting.of')}
      <select value={props.merchantId} onChange={(event) => props.onChoose(event.target.value)}>
        {merchants.map(({ id, name, code }) => (
          <option key={id} value={id}>
            {`${name} ${code}`}
          </option>
        ))}
      </select>
    </label>
  )
}

function Group({ group, merchantId }: { group: (typeof groups)[number]; merchantId: number | undefined }) {
  const t = useText('system')
  const kernel = useText('kernel')
  const found = useEndpoint(listSettings, merchantId ? { merchantId } : {}, { errors: 'silent' })
  useTopic('changes', ({ kinds }) => {
    if (!Array.isArray(kinds) || kinds.length === 0 || kinds.includes('setting')) void refetch(listSettings)
  })
  if (found.isError) return <Failure failure={found.error} retry={() => void found.refetch()} />
  if (!found.data) return <p role="status">{kernel('loading')}</p>
  const { items, merchantName } = found.data
  return (
    <section className={styles.group} aria-label={t(`settingGroup.${group}`)}>
      <p className={styles.for}>{t(`settingGroup.${group}.for`, { name: merchantName })}</p>
      {items
        .filter(({ key }) => settingNamed(key).group === group)
        .map((item) => (
          <SettingRow key={`${found.data.merchantId} ${item.key}`} item={item} merchantId={found.data.merchantId} />
        ))}
    </section>
  )
}
