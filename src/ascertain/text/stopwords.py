"""Function words and question words, one set for all languages.

The set is asked whatever the language of a text is, so a word is here only if it means next to
nothing in its own language and is hardly a content word in another («die», «war», «son», «pan»,
«hat», «ten», «ai» are left out; so are single letters, for the sake of «vitamin K»); English
function words are here always. Accents count: «für» is here and «fur» is not. These lists are our own.
"""

from __future__ import annotations

from unicodedata import normalize

from ascertain.text.scripts import clusters, shape_of

_WORDS = """
a an the and or but nor if then else than so as at by for from in into of off on onto out over to up upon with
without within about above after again against all along also although always am among any anyone anything are
aren't around because been before being below between both can can't cannot could couldn't did didn't do does
doesn't doing done don't down during each either ever every everyone everything few further had hadn't has hasn't
have haven't having he her here hers herself him himself his how however i is isn't it its itself just let like me
might more most much must my myself neither no not now nothing once only other others our ours ourselves own per
please rather same shall she should shouldn't since some someone something still such that their theirs them
themselves there these they this those though through thus till too toward towards under until us very via was
wasn't we were weren't what whatever when whenever where whereas wherever whether which whichever while who
whoever whom whose why will won't would wouldn't yes yet you your yours yourself yourselves tell told mean means
meant meaning explain describe know known say says said called give want wants need ask asked remember recall
thing things kind

der das dem des ein eine einer eines einem einen und oder aber ist sind waren wurde wurden wird werden sein haben
hatte hatten wer wen wem wessen wo woher wohin wie wann warum wieso weshalb welche welcher welches welchem welchen
ich du wir ihr ihre ihrer sie sich nicht kein keine auch noch nur schon sehr für mit von vom zu zum zur bei nach
aus auf über unter zwischen durch gegen ohne um im am ob dass daß weil wenn dann dort hier dieser diese dieses
diesem jener jede jeder jedes kann können soll sollte muss gibt bedeutet heißt wofür womit wodurch worum

le la les un une des du de et ou où aux à au en dans avec sans sur sous entre vers chez que qui quoi quel quelle
quels quelles quand pourquoi combien lequel laquelle lesquels est sont était étaient été être ont avait ce cet
cette ces ceux celui celle il elle ils elles je tu nous vous se leur leurs sa ses ne pas ni si mais donc ça cela
aussi très fait-il est-ce

el los las una unos unas del con por para qué quién quien quiénes quienes cuál cual cuáles cuándo cuando dónde
donde adónde cómo como cuánto cuántos cuánta cuántas esta está están este estos estas eso esa ese fue fueron ser
lo su sus les nos muy más pero porque sobre hasta desde sí según significa llama

uma umas uns da na pelo pela pelos pelas quem qual quais quanto quantos quantas onde são foi foram é ao aos às
ou seu sua seus suas isso isto este não mais também já em

gli di dello della dei degli delle alla alle allo dalla dal nel nella nelle sulla tra fra che quale quali perché
quanto quanti quante sono è hanno questo questa questi queste non più anche cosa

het een van aan voor door bij wie wat waar wanneer waarom hoe welke welk zijn werd worden heeft hebben dat deze
dit ook niet naar uit zich

och att det som är på av för till med om inte han hon jag vem vad när hur varför vilken vilket vilka blev från
eller den ett i har ja ei se että joka jotka oli ovat olla olivat mikä mitä mitkä kuka ketä kenen keitä missä
mistä mihin milloin miksi miten kuinka montako minkä millainen tämä kuin myös kun yang di itu ini dengan untuk
dari pada dalam adalah apa apakah siapa siapakah bilakah kapan manakah dimana di-mana mengapa kenapa bagaimana
bagaimanakah berapa berapakah oleh ke tidak telah akan ialah juga

we ze do od za po przez dla są był była było były być to ta te ci co kto gdzie kiedy dlaczego jak jaki jaka
jakie który która które czy nie się jego jej ich ile oraz lub czym ve ku při jsou byl byla bylo byli být
kdo kde kdy proč jaký jaká jaké který která které nebo že jeho její jejich kolik jako čím se si bir bu ile için ne
kimdir kimin nerede nereye nereden hangi hangisi nasıl neden niçin niye kaç mi mı mu mü midir mıdır nedir olan
olarak şu zaman kas kur kada kodėl kaip kiek kuris kuri kurie yra buvo ir iš už apie su

и в во не что он на я с со как а то все всё она так его но да ты к у же вы за бы по ее её мне было вот от меня еще
ещё нет о из ему когда даже ну ли если или ни быть был него до вас там себя ей они тут где есть для мы тебя их чем
была кто этот того потому этого какой какая какое какие каком какого какую каким каких этом чтобы были куда зачем
при об после над под тот через эти про который которая которые которое которого это эта сколько почему чей чья чьё
является называется такой такая такое такие расскажи скажи значит означает і й та що як хто де коли чому який яка
яке які у з із зі від про є була було були цей ця ці чи або його її скільки куди чий якого якої хто што дзе калі
чаму які якая якое якія ў да ад пра ёсць быў гэта ці яго яе колькі

من في على إلى الى عن ما ماذا هو هي هم هل متى أين كيف لماذا كم أي التي الذي الذين هذا هذه ذلك تلك كان كانت و أو أن
إن لا لم لن قد مع بين ثم كل بعد قبل يكون تم منذ حول عند של את על עם אל לא כן מה מי מתי איפה היכן איך כיצד למה מדוע
כמה איזה איזו אילו הוא היא הם הן זה זו זאת היה הייתה היו יש אין או גם כי אם אשר מהו מהי מיהו מיהי का के की है हैं
में से को पर और क्या कौन कब कहाँ कहां क्यों कैसे कितने कितना कितनी किस किसने किसका यह वह था थी थे एक जो ने तो भी
नहीं लिए होता होती कौनसा ով ինչ որտեղ երբ ինչպես ինչու որն որ է են էր և ու τι ποιος ποια ποιο ποιοι πού πότε πώς
γιατί πόσο είναι ήταν και το ο η οι τα του της των στο στη σε με για από nani nini wapi lini gani ngapi katika kwa
ya wa ni je ilikuwa kedụ gịnị onye olee ebee mgbe ole wane wace menene mene ina yaushe nawa

무엇 무엇인가 무엇인가요 무엇이 무엇을 뭐 뭐가 뭐를 뭘 뭐야 뭐지 뭐예요 뭔가 뭔가요 뭔지 뭐였지 뭐였더라 누구
누구야 누가 누구지 언제 언제야 언제지 언제였지 어디 어디야 어디지 어떻게 어떤 어떠한 왜 무슨 어느 몇 얼마 얼마나
그 이 저 것 거 게 건 걸 수 때 그것 이것 저것 그게 이게 그거 이거 그건 이건 있다 있는 있나 있나요 있어 있지 있었다
있었지 있습니까 있습니다 없다 없는 없나요 하다 하는 하나요 하지 하면 하고 한다 했다 했나 했나요 했지 했어 했더라
할까 할 한 해 되다 되는 되나 되나요 되지 됐지 된 될 대해 대한 대해서 관한 관해 관해서 관하여 대하여 위해 위한
알려줘 알려주세요 알려 알려줄래 알려줄 말해줘 설명해줘 설명해 뜻 뜻이야 뭐라고 내 나 너 우리 저희 제 네 그리고
그러나 하지만 그래서 또는 및 등 더 좀 잘 다 안 못 또 이다 입니다 인가요 이었지 줘 주세요 누군지 어디서 어디에
어딨어
"""

_PAIRED = """
是什么 什么是 什么 甚麼 什麼 什麼是 是什麼 为什么 為什麼 怎么 怎么样 怎麼 如何 哪里 哪裡 哪個 哪个 哪些 哪儿 哪一
谁是 誰是 是谁 是誰 请问 請問 多少 告诉我 告訴我 关于 關於 何时 何時 几个 幾個 我们 他们 你们 这个 那个 這個 那個
是否 可以
です ます ますか ですか ました ましたか でした でしたか でしょうか ません から まで とは って という というのは
について についての に関する に関して ください してください どこ だれ なに なん いつ いつから いくつ いくら どう
どうやって どうして どうすれば なぜ どの どれ どんな どちら ある あります あった いる います いた する します した
して しました されて された される これ それ あれ この その あの ここ そこ として による により によって における
ための ため もの こと ことは よう ようにする なる なりました られる れる ている ていた ています では には にも
への との での からの だった なのか のは のか なのは のですか んですか ってなに ってなんですか
อะไร คืออะไร ใคร ใครคือ ที่ไหน เมื่อไหร่ เมื่อไร ทำไม อย่างไร อันไหน
តើ នរណា ហេតុអ្វី យ៉ាងណា ពេលណា ទីណា
"""

_SINGLE_HAN = frozenset("是的了吗呢吧嗎么麼在和与與及或有我你您他她它们們这那這谁誰哪几幾就也都被把从從何")
_EMPTY_HAN = frozenset("的吗呢嗎么麼吧")
_PLAIN_ALEF = str.maketrans("أإآٱ", "اااا")
_NOT_EMPTY = frozenset(("目的", "標的", "标的", "的确", "的確", "的士"))


def _words() -> frozenset[str]:
    words = normalize("NFKC", _WORDS).casefold().split()
    plain = [word.replace("'", "") for word in words]
    # Arabic is typed with and without its hamza. The ya variants are not unified here: «on» would
    # become the name Ali.
    bare = [word.translate(_PLAIN_ALEF) for word in plain]
    return frozenset([*plain, *bare, *_SINGLE_HAN])


def _pairs() -> frozenset[str]:
    found: list[str] = []
    for phrase in normalize("NFKC", _PAIRED).split():
        spans = clusters(phrase, shape_of(phrase)[0])
        found += [phrase[a:b] for (a, _), (_, b) in zip(spans, spans[1:] or spans, strict=False)]
    return frozenset(found)


STOP = _words()
"""Folded as `match_form` folds, without apostrophes: «dont»."""

STOP_GRAMS = _pairs()
"""Pairs of clusters that function phrases consist of."""


def is_empty_pair(pair: str) -> bool:
    """Does a pair out of a longer Han run only join what stands around a function character?"""
    return (pair[0] in _EMPTY_HAN or pair[-1] in _EMPTY_HAN) and pair not in _NOT_EMPTY
