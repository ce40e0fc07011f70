import { getPushSettings } from '@aisle/contract/notice/pushSetting'
import { screenOf } from '@aisle/contract/screens'
import { Link } from '@tanstack/react-router'
import { useEndpoint } from '../../live/query'
import { can } from '../../live/session'
import { useText } from '../../ui/text'

/** Who is told stands in the push settings, as for every message; here it is only read. */
export function StockTold() {
  const t = useText('alarm')
  const mayRead = can(getPushSettings.access)
  const { data } = useEndpoint(getPushSettings, {}, { errors: 'silent', enabled: mayRead })
  const setting = data?.settings.find(({ code }) => code === 'alarm.stock')
  return (
    <section aria-label={t('stock.told')}>
      <h2>{t('stock.told')}</h2>
      {!mayRead && <p className="quiet">{t('stock.told.notSeen')}</p>}
      {data && setting && <Told setting={setting} quiet={data.quiet} />}
      {mayRead && (
        <p>
          <Link to={screenOf('xtgl/tssz').path}>{t('stock.told.change')}</Link>
        </p>
      )}
    </section>
  )
}

type Settings = NonNullable<ReturnType<typeof useEndpoint<typeof getPushSettings>>['data']>
type Setting = Settings['settings'][number]

function Told({ setting, quiet }: { setting: Setting; quiet: Settings['quiet'] }) {
  const t = useText('alarm')
  const notice = useText('notice')
  const { roles, organisations, users, channels } = setting
  const people = [...roles, ...organisations, ...users].map(({ name }) => name).join(' · ')
  const ways = channels.map((channel) => notice(`channel.${channel}`)).join(' · ')
  return (
    <>
      <p>{t('stock.told.who', { people: people || t('stock.told.admins'), channels: ways })}</p>
      <p className="quiet">{quiet ? t('stock.told.quiet', { ...quiet }) : t('stock.told.always')}</p>
    </>
  )
}
