import { screenOf } from '@aisle/contract/screens'
import { Link } from '@tanstack/react-router'
import { Empty } from '../../ui/feedback/empty'
import { useText } from '../../ui/text'

const lists = { role: 'xtgl/jsgl', resource: 'xtgl/gngl' } as const

/** A page about one thing that was opened without saying which: the list to choose from is one press away. */
export function NothingChosen({ what }: { what: keyof typeof lists }) {
  const t = useText('rights')
  return (
    <Empty icon="info" title={t(`nothingChosen.${what}`)} text={t(`nothingChosen.${what}.hint`)}>
      <Link className="btn btn-main" to={screenOf(lists[what]).path}>
        {t(`nothingChosen.${what}.go`)}
      </Link>
    </Empty>
  )
}
