import { type Channel, channels, isOffered, type OfferedChannel } from '@aisle/contract/notice/messageType'
import { useText } from '../../ui/text'
import { CheckField } from './formParts'

/** The ways to tell people; one that nothing carries yet is shown with its reason and can't be chosen. */
export function ChannelField(props: {
  chosen: readonly OfferedChannel[]
  onChange: (chosen: OfferedChannel[]) => void
  /** Those with a provider that is on, where that is known. */
  carried?: readonly Channel[]
  rule?: string
  fault?: string | undefined
}) {
  const { chosen, onChange, carried = channels, rule, fault } = props
  const t = useText('notice')
  const noteOf = (channel: Channel) =>
    !isOffered(channel) ? t('channel.noApp') : carried.includes(channel) ? undefined : t('channel.noProvider')
  return (
    <CheckField
      label={t('field.channels')}
      rule={rule}
      fault={fault}
      options={channels.map((value) => {
        const note = noteOf(value)
        return { value, word: t.any(`channel.${value}`), isOff: !isOffered(value), ...(note ? { note } : {}) }
      })}
      chosen={chosen}
      onChange={(picked) => onChange(picked.filter(isOffered))}
    />
  )
}
