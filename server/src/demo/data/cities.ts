import { northAndWest } from './cities.northwest'
import type { RegionKey } from './merchants'

export type PointKind = 'hospital' | 'store' | 'campus' | 'station' | 'office'

/** Name, kind, address, longitude, latitude: districts are real and so is where they lie; the places are invented. */
export type PointSeed = readonly [name: string, kind: PointKind, address: string, longitude: number, latitude: number]

export type CitySeed = {
  /** Begins the codes of the city's machines, so no two cities share it. */
  letters: string
  province: string
  city: string
  region: RegionKey
  points: readonly PointSeed[]
}

const eastAndSouth: readonly CitySeed[] = [
  {
    letters: 'HZ',
    province: '浙江省',
    city: '杭州市',
    region: 'east',
    points: [
      ['杭州城西医院', 'hospital', '西湖区文苑路 118 号', 120.122, 30.28],
      ['弄堂口便利(拱墅店)', 'store', '拱墅区上塘路 305 号', 120.156, 30.309],
      ['杭州江潮软件园', 'office', '滨江区滨安路 660 号', 120.204, 30.198],
      ['杭州钱江理工学院', 'campus', '钱塘区学林街 80 号', 120.352, 30.312],
      ['杭州湘南医院', 'hospital', '萧山区市心路 920 号', 120.266, 30.181],
    ],
  },
  {
    letters: 'SH',
    province: '上海市',
    city: '上海市',
    region: 'east',
    points: [
      ['上海漕北医院', 'hospital', '徐汇区宜山路 402 号', 121.424, 31.188],
      ['弄堂口便利(静安店)', 'store', '静安区昌平路 71 号', 121.45, 31.237],
      ['上海东张科创园', 'office', '浦东新区祖冲之路 2290 号', 121.605, 31.205],
      ['上海莘南医院', 'hospital', '闵行区莘松路 555 号', 121.371, 31.113],
      ['上海青虹枢纽', 'station', '闵行区申虹路 1 号', 121.322, 31.197],
      ['上海云间理工学院', 'campus', '松江区文汇路 900 号', 121.213, 31.055],
    ],
  },
  {
    letters: 'NJ',
    province: '江苏省',
    city: '南京市',
    region: 'east',
    points: [
      ['南京清凉门医院', 'hospital', '鼓楼区广州路 210 号', 118.769, 32.055],
      ['弄堂口便利(秦淮店)', 'store', '秦淮区太平南路 88 号', 118.791, 32.034],
      ['南京秣陵大学', 'campus', '江宁区将军大道 29 号', 118.793, 31.935],
    ],
  },
  {
    letters: 'SUZ',
    province: '江苏省',
    city: '苏州市',
    region: 'east',
    points: [
      ['苏州平齐医院', 'hospital', '姑苏区干将东路 600 号', 120.633, 31.309],
      ['苏州湖东创意园', 'office', '工业园区星湖街 328 号', 120.729, 31.291],
      ['弄堂口便利(吴中店)', 'store', '吴中区吴中东路 42 号', 120.639, 31.268],
    ],
  },
  {
    letters: 'NB',
    province: '浙江省',
    city: '宁波市',
    region: 'east',
    points: [
      ['宁波甬南医院', 'hospital', '鄞州区首南路 1111 号', 121.548, 29.812],
      ['弄堂口便利(海曙店)', 'store', '海曙区柳汀街 225 号', 121.538, 29.867],
    ],
  },
  {
    letters: 'HF',
    province: '安徽省',
    city: '合肥市',
    region: 'east',
    points: [
      ['合肥蜀西医院', 'hospital', '蜀山区长江西路 375 号', 117.25, 31.853],
      ['合肥庐州科技谷', 'office', '高新区望江西路 800 号', 117.165, 31.838],
    ],
  },
  {
    letters: 'FZ',
    province: '福建省',
    city: '福州市',
    region: 'east',
    points: [
      ['福州闽都医院', 'hospital', '鼓楼区湖东路 134 号', 119.303, 26.093],
      ['弄堂口便利(台江店)', 'store', '台江区五一中路 57 号', 119.313, 26.065],
    ],
  },
  {
    letters: 'XM',
    province: '福建省',
    city: '厦门市',
    region: 'east',
    points: [
      ['厦门金山路医院', 'hospital', '湖里区金山路 8 号', 118.153, 24.505],
      ['弄堂口便利(莲坂店)', 'store', '思明区嘉禾路 112 号', 118.113, 24.486],
    ],
  },
  {
    letters: 'SZ',
    province: '广东省',
    city: '深圳市',
    region: 'south',
    points: [
      ['深圳福南医院', 'hospital', '福田区笋岗西路 3012 号', 114.069, 22.556],
      ['骑楼里便利(宝安店)', 'store', '宝安区前进一路 96 号', 113.905, 22.571],
      ['深圳南山智谷', 'office', '南山区高新中三道 9 号', 113.945, 22.544],
      ['深圳龙城医院', 'hospital', '龙岗区龙翔大道 2188 号', 114.245, 22.72],
      ['深圳龙华换乘站', 'station', '龙华区致远中路 28 号', 114.029, 22.612],
    ],
  },
  {
    letters: 'GZ',
    province: '广东省',
    city: '广州市',
    region: 'south',
    points: [
      ['广州东濠医院', 'hospital', '越秀区中山三路 33 号', 113.28, 23.129],
      ['骑楼里便利(白云店)', 'store', '白云区机场路 585 号', 113.262, 23.175],
      ['广州小谷围学院', 'campus', '番禺区外环西路 230 号', 113.377, 23.046],
      ['广州天河商务中心', 'office', '天河区体育东路 116 号', 113.327, 23.139],
    ],
  },
  {
    letters: 'HAK',
    province: '海南省',
    city: '海口市',
    region: 'south',
    points: [
      ['海口椰城医院', 'hospital', '秀英区海秀路 68 号', 110.298, 20.01],
      ['骑楼里便利(龙华店)', 'store', '龙华区国贸路 22 号', 110.318, 20.027],
    ],
  },
  {
    letters: 'NN',
    province: '广西壮族自治区',
    city: '南宁市',
    region: 'south',
    points: [
      ['南宁青山医院', 'hospital', '青秀区桃源路 6 号', 108.333, 22.808],
      ['南宁相思湖学院', 'campus', '西乡塘区大学东路 188 号', 108.283, 22.841],
    ],
  },
  {
    letters: 'CS',
    province: '湖南省',
    city: '长沙市',
    region: 'south',
    points: [
      ['长沙浏河医院', 'hospital', '芙蓉区人民东路 176 号', 113.01, 28.183],
      ['骑楼里便利(雨花店)', 'store', '雨花区香樟路 319 号', 113.012, 28.136],
      ['长沙麓南大学', 'campus', '岳麓区麓山南路 2 号', 112.938, 28.172],
    ],
  },
  {
    letters: 'WH',
    province: '湖北省',
    city: '武汉市',
    region: 'south',
    points: [
      ['武汉蛇山医院', 'hospital', '武昌区彭刘杨路 99 号', 114.308, 30.538],
      ['武汉光华科技大学', 'campus', '洪山区珞喻路 1037 号', 114.414, 30.511],
      ['骑楼里便利(江汉店)', 'store', '江汉区建设大道 568 号', 114.265, 30.601],
    ],
  },
  {
    letters: 'NC',
    province: '江西省',
    city: '南昌市',
    region: 'south',
    points: [
      ['南昌豫章门医院', 'hospital', '东湖区阳明路 92 号', 115.902, 28.69],
      ['南昌红谷总部园', 'office', '红谷滩区丰和中大道 1266 号', 115.855, 28.7],
    ],
  },
]

export const cities: readonly CitySeed[] = [...eastAndSouth, ...northAndWest]
