import type { CitySeed } from './cities'

/** Sold to like the operator's own region; districts are real, the places are invented. */
export const abroad: readonly (CitySeed & { country: string; timeZone: string })[] = [
  {
    country: 'FR',
    timeZone: 'Europe/Paris',
    letters: 'PAR',
    province: '法兰西岛',
    city: '巴黎',
    region: 'east',
    points: [
      ['巴黎拉维莱特创意园', 'office', "28 rue de l'Ourcq, 75019 Paris", 2.381, 48.89],
      ['巴黎里昂车站北厅', 'station', '9 rue de Chalon, 75012 Paris', 2.374, 48.845],
    ],
  },
  {
    country: 'KR',
    timeZone: 'Asia/Seoul',
    letters: 'SEL',
    province: '首尔特别市',
    city: '首尔',
    region: 'east',
    points: [
      ['首尔麻浦数字大厦', 'office', '서울 마포구 월드컵북로 402', 126.889, 37.58],
      ['首尔城东大学', 'campus', '서울 성동구 왕십리로 210', 127.044, 37.556],
    ],
  },
]
