import { type Channel, channels } from '@aisle/contract/notice/messageType'
import { useText } from '../../ui/text'
import { CheckField } from './formParts'

/** The ways to tell people; one without a provider says so. */
export function ChannelField(props: {
  chosen: readonly Channel[]
  onChange: (chosen: Channel[]) => void
  /** Those with a provider that is on, where that is known. */
  carried?: readonly Channel[]
  rule?: string
  fault?: string | undefined
}) {
  const { chosen, onChange, carried = channels, rule, fault } = props
  const t = useText('notice')
  return (
    <CheckField
      label={t('field.channels')}
      rule={rule}
      fault={fault}
      options={channels.map((value) => ({
        value,
        word: t.any(`channel.${value}`),
        ...(carried.includes(value) ? {} : { note: t('channel.noProvider') }),
      }))}
      chosen={chosen}
      onChange={onChange}
    />
  )
}
