import { listProviders, providerChannels } from '@aisle/contract/notice/pushSetting'
import { useState } from 'react'
import { useEndpoint } from '../../live/query'
import { can } from '../../live/session'
import { Tag } from '../../ui/tag'
import { useText } from '../../ui/text'
import { ProviderDialog } from './provider-dialog'
import { ProviderTest } from './provider-test'

/** For the platform's administrator, once: who carries SMS and e-mail out of the house. */
export function Providers() {
  const t = useText('notice')
  const { data } = useEndpoint(listProviders, {}, { errors: 'silent' })
  const [opened, setOpened] = useState<(typeof providerChannels)[number] | null>(null)
  const [tested, setTested] = useState<(typeof providerChannels)[number] | null>(null)
  if (!data) return null
  return (
    <section className="form-card">
      <h2>{t('section.providers')}</h2>
      <p className="form-note">{t('providers.hint')}</p>
      <ul className="push-rules">
        {providerChannels.map((channel) => {
          const provider = data.items.find((each) => each.channel === channel)
          const state = provider ? (provider.isOn ? 'on' : 'off') : 'missing'
          return (
            <li key={channel}>
              <div>
                <b>{t.any(`channel.${channel}`)}</b>
                <small>{provider ? t.any(`providerKind.${provider.config.kind}`) : t('providers.none')}</small>
              </div>
              <Tag
                tone={state === 'on' ? 'good' : 'warn'}
                word={t.any(`providerState.${state}`)}
                hint={t.any(`providerState.${state}.help`)}
              />
              {can('pushProvider.write') && (
                <span className="form-actions">
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
