import { getPushSettings, listProviders, type PushSetting } from '@aisle/contract/notice/pushSetting'
import { screenOf } from '@aisle/contract/screens'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Failure } from '../../admin/failure'
import { useLive } from '../../admin/useList'
import { useEndpoint } from '../../live/query'
import { can } from '../../live/session'
import { Tag } from '../../ui/tag'
import { useText } from '../../ui/text'
import { Providers } from './providers'
import { PushRuleDialog } from './pushRuleDialog'
import formPartsStyles from './formParts.module.css'
import styles from './pushSettings.module.css'

/** For whoever runs a merchant, once and then seldom: who is told of what, and by which way it reaches them. */
export default function PushSettings() {
  const t = useText('notice')
  const title = useText('screens').any('xtgl/tssz')
  const result = useEndpoint(getPushSettings, {}, { errors: 'throw' })
  useLive({ kinds: ['pushSetting', 'pushProvider', 'setting', 'messageType'], also: [] }, [
    getPushSettings,
    listProviders,
  ])
  if (result.error) return <Failure failure={result.error} retry={() => void result.refetch()} />
  if (!result.data) return null
  const { settings, quiet } = result.data
  return (
    <div className={formPartsStyles.messagePage}>
      <header>
        <h1>{title}</h1>
      </header>
      <section className={formPartsStyles.formCard}>
        <h2>{t('section.rules')}</h2>
        <p className={formPartsStyles.formNote}>{t('rules.hint')}</p>
        <ul className={styles.rules}>
          {settings.map((setting) => (
            <Rule key={setting.typeId} setting={setting} data={result.data} />
          ))}
        </ul>
      </section>
      <section className={formPartsStyles.formCard}>
        <h2>{t('section.quiet')}</h2>
        <p>{quiet ? t('quiet.set', { from: quiet.from, to: quiet.to }) : t('quiet.none')}</p>
        <p className={formPartsStyles.formNote}>
          {t('quiet.hint')} {can('setting.write') && <Link to={screenOf('xtgl/sz').path}>{t('quiet.change')}</Link>}
        </p>
      </section>
      {can(listProviders.access) && <Providers />}
    </div>
  )
}

type Data = NonNullable<ReturnType<typeof useEndpoint<typeof getPushSettings>>['data']>

function Rule({ setting, data }: { setting: PushSetting; data: Data }) {
  const t = useText('notice')
  const [isOpen, setOpen] = useState(false)
  const { name, channels, roles, users, organisations, source } = setting
  const names = [...roles, ...organisations, ...users].map((each) => each.name)
  const who = source === 'own' ? names.join(' · ') : t(source === 'above' ? 'source.above' : 'source.type')
  const lost = channels.filter((channel) => !data.carried.includes(channel))
  return (
    <li>
      <div>
        <b>{name}</b>
        <small>{who}</small>
      </div>
      <span className="tags">
        {channels.map((channel) => (
          <Tag
            key={channel}
            tone={lost.includes(channel) ? 'warn' : 'idle'}
            word={t.any(`channel.${channel}`)}
            hint={lost.includes(channel) ? t('channel.lost') : t.any(`channel.${channel}.help`)}
          />
        ))}
      </span>
      <button type="button" className="btn" disabled={!can('pushSetting.write')} onClick={() => setOpen(true)}>
        {t('action.set')}
        <span className="hidden-text"> {name}</span>
      </button>
      {isOpen && <PushRuleDialog setting={setting} data={data} onClose={() => setOpen(false)} />}
    </li>
  )
}
