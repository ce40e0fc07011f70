import { getOutboxState } from '@aisle/contract/notice/push'
import { screenOf } from '@aisle/contract/screens'
import { Link } from '@tanstack/react-router'
import { useEndpoint } from '../../live/query'
import { can } from '../../live/session'
import { Icon } from '../../ui/icons'
import { useText } from '../../ui/text'

const settings = screenOf('xtgl/tssz')

/** Says before anybody asks that a channel leads nowhere, and who can change that. */
export function OutboxSummary() {
  const t = useText('notice')
  const { data } = useEndpoint(getOutboxState, {}, { errors: 'silent' })
  const missing = data?.missing ?? []
  if (!data || missing.length === 0) return null
  const channels = missing.map((channel) => t.any(`channel.${channel}`)).join(' · ')
  return (
    <p className="list-notice" role="status">
      <Icon name="info" />
      <span>
        {t('outbox.missing', { channels, held: data.held })}{' '}
        {can('pushProvider.write') && can(settings.access) && <Link to={settings.path}>{t('outbox.configure')}</Link>}
      </span>
    </p>
  )
}
