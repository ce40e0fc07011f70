import { listHelp } from '@aisle/contract/support/faq'
import type { Language } from '@aisle/contract/kernel/text'
import { controlProps, type InputProps } from '../../admin/form/input'
import { useEndpoint } from '../../live/query'
import { useText } from '../../ui/text'

/** What is answered, with the published answers at hand, in the language of who asked. */
export const answerInputIn = (inLanguage: Language | null) =>
  function AnswerInput(props: InputProps) {
    const t = useText('support')
    const asked = { pageSize: 100, ...(inLanguage && { inLanguage }) }
    const { data } = useEndpoint(listHelp, asked, { errors: 'silent', staleTime: 60_000 })
    const typed = typeof props.value === 'string' ? props.value : ''
    const insert = (id: string) => {
      const block = data?.items.find((each) => String(each.id) === id)
      if (block) props.onChange([typed.trim(), block.answer].filter(Boolean).join('\n').slice(0, 1000))
    }
    return (
      <>
        {data && data.items.length > 0 && (
          <select aria-label={t('block.pick')} value="" onChange={(event) => insert(event.target.value)}>
            <option value="">{t('block.pick')}</option>
            {data.items.map(({ id, question }) => (
              <option key={id} value={id}>
                {question}
              </option>
            ))}
          </select>
        )}
        <textarea
          {...controlProps(props)}
          rows={6}
          maxLength={1000}
          value={typed}
          onChange={(event) => props.onChange(event.target.value)}
        />
      </>
    )
  }
