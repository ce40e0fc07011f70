import type { FeedbackWord } from '@aisle/contract/support/feedback'
import { Ago } from '../admin/fields/time'
import { Timeline } from '../ui/chart/timeline'
import type { Tone } from '../ui/tag'
import { useText } from '../ui/text'

const tones: Record<FeedbackWord['kind'], Tone> = {
  answer: 'busy',
  question: 'warn',
  solution: 'good',
  reply: 'warn',
  reopening: 'bad',
}

/** What was said about a feedback, newest first, by who asked and by support. */
export function Conversation({ words }: { words: readonly FeedbackWord[] }) {
  const t = useText('support')
  if (words.length === 0) return <p className="quiet">{t('words.none')}</p>
  return (
    <Timeline
      moments={words.map(({ id, kind, who, body, at }) => ({
        key: String(id),
        tone: tones[kind],
        title: t(`word.${kind}`, { who }),
        detail: body,
        when: <Ago at={at} />,
      }))}
    />
  )
}
