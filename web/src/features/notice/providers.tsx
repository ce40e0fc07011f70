import { listProviders, providerChannels } from '@aisle/contract/notice/pushSetting'
import { useState } from 'react'
import { useEndpoint } from '../../live/query'
import { can } from '../../live/session'
import { Tag } from '../../ui/tag'
import { useText } from '../../ui/text'
import { ProviderDialog } from './providerDialog'
import { ProviderTest } from './providerTest'
import styles from './formParts.module.css'
import pushSettingsStyles from './pushSettings.module.css'

/** For the platform's administrator, once: who carries SMS and e-mail out of the house. */
export function Providers() {
  const t = useText('notice')
  const { data } = useEndpoint(listProviders, {}, { errors: 'silent' })
  const [opened, setOpened] = useState<(typeof providerChannels)[number] | null>(null)
  const [tested, setTested] = useState<(typeof providerChannels)[number] | null>(null)
  if (!data) return null
  return (
    <section className={styles.formCard}>
      <h2>{t('section.providers')}</h2>
      <p className={styles.formNote}>{t('providers.hint')}</p>
      <ul className={pushSettingsStyles.rules}>
        {providerChannels.map((channel) => {
          const provider = data.items.find((each) => each.channel === channel)
          const word = provider ? (provider.isOn ? 'on' : 'off') : 'missing'
          return (
            <li key={channel}>
              <div>
                <b>{t.any(`channel.${channel}`)}</b>
                <small>{provider ? t.any(`providerKind.${provider.config.kind}`) : t('providers.none')}</small>
              </div>
              <Tag
                tone={provider?.isOn ? 'good' : 'warn'}
                word={t.any(`providerState.${word}`)}
                hint={t.any(`providerState.${word}.help`)}
              />
              {can('pushProvider.write') && (
                <span className={styles.formActions}>
                  <button type="button" className="btn" onClick={() => setOpened(channel)}>
                    {t('action.configure')}
                    <span className="hidden-text"> {t.any(`channel.${channel}`)}</span>
                  </button>
                  {provider?.isOn && (
                    <button type="button" className="btn" onClick={() => setTested(channel)}>
                      {t('action.test')}
                      <span className="hidden-text"> {t.any(`channel.${channel}`)}</span>
                    </button>
                  )}
                </span>
              )}
            </li>
          )
        })}
      </ul>
      {opened && (
        <ProviderDialog
          channel={opened}
          provider={data.items.find((each) => each.channel === opened)}
          onClose={() => setOpened(null)}
        />
      )}
      {tested && <ProviderTest channel={tested} onClose={() => setTested(null)} />}
    </section>
  )
}
