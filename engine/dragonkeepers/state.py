"""A position of Dragonkeepers: what may be decided, a turn in the order of the rules, what a seat may see."""

from typing import Final, Self

from engine.chance import Stream
from engine.dragonkeepers.cards import (
    BOOK_ACTIONS,
    CARD_OF_BOOK,
    CARD_OF_NAME,
    CARDS,
    COLOR_OF_BACK,
    COLORS,
    IS_LEFT,
    KINDS,
    KINDS_PER_COLOR,
    LEFT,
    PLAYABLE,
    RIGHT,
    SHADOW_CARD,
    SIDES,
    SLOT_OF_NAME,
    names_of,
    sets_of,
    slot_names,
)
from engine.dragonkeepers.deal import Deal, Pearl
from engine.dragonkeepers.rules import DragonkeepersRules
from engine.dragonkeepers.unseen import Gained, Laid, draw_unseen
from engine.errors import IllegalActionError
from engine.game import Event, Json, State, rank_by

# The steps of a turn at which somebody decides.
TAKE, BOOK, PLAY, FOLLOW, OVER = "take", "book", "play", "follow", "over"

_SHOWN_OF_LEGAL: Final = 20


class DragonkeepersState(State):
    """A position of Dragonkeepers; hands are counts by card, piles have their top at the end."""

    __slots__ = (
        "active",
        "amulets",
        "asked",
        "changed",
        "columns",
        "crests",
        "crests_left",
        "crystals",
        "crystals_left",
        "crystals_used",
        "current_player",
        "display",
        "eggs",
        "eggs_left",
        "events",
        "hand_sizes",
        "hands",
        "idle_turns",
        "known",
        "laid",
        "nothing_to_take",
        "pearls",
        "pearls_left",
        "pieces",
        "pieces_left",
        "piles",
        "players",
        "rows",
        "rules",
        "seen_starters",
        "set_played",
        "shadows_left",
        "starters",
        "step",
        "taken",
        "turns",
        "unknown",
    )

    def __init__(self, rules: DragonkeepersRules, players: int, deal: Deal) -> None:
        seats = range(players)
        self.rules = rules
        self.players = players

        self.hands = [[0] * KINDS for _ in seats]
        """By seat: how many of each card."""
        self.hand_sizes = [[0, 0] for _ in seats]
        """By seat: how many cards for the left of the book, and for the right."""
        self.starters = deal.starters  # DK-8
        for seat in seats:
            for card in deal.starters[seat]:
                self._to_hand(seat, card)

        self.piles = [deal.left[::-1], deal.right[::-1]]  # DK-9
        self.laid: list[list[Laid | None]] = [[None] * len(pile) for pile in self.piles]
        self.display: list[int | None] = []  # DK-10
        for side in (LEFT, RIGHT):
            self.display += [self._draw(side) for _ in range(rules.display_per_pile)]

        self.pieces_left = sorted(deal.open)  # DK-11
        self.pearls_left = deal.pearls[::-1]
        self.crystals_left, self.eggs_left = rules.crystals, rules.eggs
        self.crests_left = sorted(rules.crests)
        self.shadows_left = rules.shadow_dragons

        self.rows: list[list[int]] = [[] for _ in seats]
        """By seat: the colours of the columns from left to right (DK-16)."""
        self.columns: list[list[list[int]]] = [[[] for _ in COLORS] for _ in seats]
        """By seat and colour: the cards played, in order."""
        self.pieces: list[list[int]] = [[] for _ in seats]
        self.pearls: list[list[Pearl]] = [[] for _ in seats]
        self.crystals, self.eggs, self.crests = [0] * players, [0] * players, [0] * players
        self.amulets = 0
        """Completed amulets of all players (DK-23)."""

        # What everybody knows of hands: cards taken in the open, and how many starting cards are unseen.
        self.known: list[list[Gained]] = [[] for _ in seats]
        self.unknown = [len(cards) for cards in deal.starters]
        self.seen_starters: list[tuple[int, int]] = []

        self.turns = self.idle_turns = 0
        self.active = self.asked = 0
        """Whose turn it is, and whose decision: another seat's in the last step."""
        self.current_player: int | None = None
        self.events: list[Event] = [
            {
                "type": "setup",
                "players": players,
                "hand_sizes": list(map(len, deal.starters)),
                "pieces": self.pieces_left.copy(),
            }
        ]
        self._begin_turn(0)
        self._advance()

    # What may be decided.

    def legal_actions(self) -> list[str]:
        """All actions of the current player: slots, cards or sets in their order, the way out last."""
        seat = self.current_player
        if seat is None:
            return []
        if self.step == TAKE:
            return self._legal_takes()
        if self.step == BOOK:
            hand = self.hands[seat]
            cards = (card for card, count in enumerate(hand) if count and not self.changed[not IS_LEFT[card]])
            return [*(BOOK_ACTIONS[card] for card in cards), "keep"]
        return [*self._legal_sets(seat), "pass"]

    def _legal_takes(self) -> list[str]:
        slots = slot_names(self.rules.display_per_pile)
        word = "take" if self.taken < self.rules.cards_per_turn else "crystal"
        takes = [f"{word} {slot}" for slot, card in zip(slots, self.display, strict=True) if card is not None]
        return [*takes, "done"] if self.taken else takes

    def _legal_sets(self, seat: int) -> list[str]:
        """DK-15: in card order; where a side must be named, ``left`` before ``right``."""
        color = self._page_color()
        sets = sets_of(color, self._counts(seat, color), self._page_number())
        if self.rules.enclosed_columns_close and color not in self.rows[seat]:
            return [f"{cards} {side}" for cards in sets for side in SIDES]
        return list(sets)

    def neutral_action(self) -> str:
        """The first slot that holds a card, then ``done``, ``keep``, ``pass``."""
        if self.step == TAKE:
            return "done" if self.taken else self._legal_takes()[0]
        return "keep" if self.step == BOOK else "pass"

    def apply_action(self, action: str) -> None:
        """Play one action and every forced move that follows; IllegalActionError changes nothing."""
        seat = self.current_player
        if seat is None or not isinstance(action, str):
            raise self._illegal(action)
        if self.step == TAKE:
            self._apply_take(seat, action)
        elif self.step == BOOK:
            self._apply_book(seat, action)
        elif action == "pass":
            self._pass()
        else:
            self._play_set(seat, *self._read_set(seat, action))
            self._ask_next()
        self._advance()

    def _apply_take(self, seat: int, action: str) -> None:
        if action == "done" and self.taken:
            self._done()
            return
        word, _, name = action.partition(" ")
        extra = self.taken >= self.rules.cards_per_turn
        slot = SLOT_OF_NAME[self.rules.display_per_pile].get(name)
        if word != ("crystal" if extra else "take") or slot is None or self.display[slot] is None:
            raise self._illegal(action)
        if extra:  # DK-13
            self.crystals[seat] -= 1
            self.crystals_left += 1
            self.crystals_used += 1
        self._take(seat, slot, word)

    def _apply_book(self, seat: int, action: str) -> None:
        card = CARD_OF_BOOK.get(action)
        if action == "keep":
            self._keep()
        elif card is None or not self.hands[seat][card] or self.changed[not IS_LEFT[card]]:
            raise self._illegal(action)
        else:
            self._lay(seat, card)

    def _read_set(self, seat: int, action: str) -> tuple[list[int], str | None]:
        """The cards of a set, and the side of its new column where one must be named."""
        word, *names = action.split(" ")
        color = self._page_color()
        side = None
        if self.rules.enclosed_columns_close and color not in self.rows[seat]:
            side = names.pop() if names else None
        cards = [CARD_OF_NAME.get(name, -1) for name in names]
        legal = (
            word == "play"
            and (side in SIDES or side is None)
            and (side is not None) == (self.rules.enclosed_columns_close and color not in self.rows[seat])
            and len(cards) == self._page_number()
            and cards == sorted(cards)
            and self.can_play(seat)
            and all(card in PLAYABLE[color] and cards.count(card) <= self.hands[seat][card] for card in cards)
        )
        if not legal:
            raise self._illegal(action)
        return cards, side

    # A turn, in the order of the rules.

    def _begin_turn(self, seat: int) -> None:
        self.active = self.asked = seat
        self.step = TAKE
        self.taken = self.crystals_used = 0
        self.changed = [False, False]
        self.set_played = False
        self.nothing_to_take = self._display_is_empty()
        self.events.append(
            {"type": "turn", "seat": seat, "display": self._told_display(), "pages": self._told_pages()}
        )

    def _advance(self) -> None:
        """Make every move that nobody need be asked for, until somebody must choose or it is over."""
        self.current_player = None
        while self.step != OVER:
            if self.step == TAKE:
                choice = self._advance_take()
            elif self.step == BOOK:
                choice = self._can_lay()
                if not choice:
                    self._keep()
            else:
                choice = self.can_play(self.asked)
                if not choice:
                    self._pass()
            if choice:
                self.current_player = self.asked
                return

    def _advance_take(self) -> bool:
        """Whether there is a choice in step 1; if not, the only possible move is made."""
        slots = [slot for slot, card in enumerate(self.display) if card is not None]
        if not slots:  # DK-22
            self._done()
            return False
        if self.taken >= self.rules.cards_per_turn:
            if self.crystals[self.asked] and self.crystals_used < self.rules.crystals_per_turn:
                return True
            self._done()
            return False
        if not self.taken and len(slots) == 1:
            self._take(self.asked, slots[0], "take")
            return False
        return True

    def _take(self, seat: int, slot: int, kind: str) -> None:
        """DK-12: the card goes to the hand, and the gap is filled from its own pile, whose page changes."""
        card = self.display[slot]
        assert card is not None
        self._to_hand(seat, card)
        self.known[seat].append(Gained(card, len(self.events)))
        side = slot // self.rules.display_per_pile
        fill = self.display[slot] = self._draw(side)
        self.taken += 1
        self.events.append(
            {
                "type": kind,
                "seat": seat,
                "slot": slot_names(self.rules.display_per_pile)[slot],
                "card": CARDS[card],
                "refill": None if fill is None else CARDS[fill],
                "pages": self._told_pages(),
            }
        )

    def _draw(self, side: int) -> int | None:
        """DK-22: the top card of a pile turned up; its last card stays as its page."""
        pile = self.piles[side]
        if len(pile) < 2:
            return None
        card = pile.pop()
        laid = self.laid[side].pop()
        if laid is not None:
            self._reveal(laid.seat, card, laid.time)
        return card

    def _done(self) -> None:
        self.events.append({"type": "done", "seat": self.asked})
        self.step = BOOK

    def _can_lay(self) -> bool:
        """DK-14: a side is changed at most once a turn."""
        sizes = self.hand_sizes[self.asked]
        return sum(self.changed) < self.rules.book_changes_per_turn and any(
            sizes[side] and not self.changed[side] for side in (LEFT, RIGHT)
        )

    def _lay(self, seat: int, card: int) -> None:
        """DK-14: the card's back is the new page; the others see nothing else of it."""
        side = LEFT if IS_LEFT[card] else RIGHT
        self._from_hand(seat, card)
        self.piles[side].append(card)
        self.laid[side].append(Laid(seat, len(self.events)))
        self.changed[side] = True
        self.events.append({"type": "book", "seat": seat, "card": f"?{CARDS[card][1]}"})

    def _keep(self) -> None:
        self.events.append({"type": "keep", "seat": self.asked})
        self.step = PLAY

    def can_play(self, seat: int) -> bool:
        """DK-15, DK-16: enough cards of the colour, shadow dragons included, for a column that is open."""
        number, color = self._page_number(), self._page_color()
        return 0 < number <= sum(self._counts(seat, color)) and not self._is_closed(seat, color)

    def _is_closed(self, seat: int, color: int) -> bool:
        """DK-16: whether the colour's column has others on both sides, and that closes it."""
        row = self.rows[seat]
        return self.rules.enclosed_columns_close and color in row[1:-1]

    def _play_set(self, seat: int, cards: list[int], side: str | None) -> None:
        """DK-15 to DK-18: cards to their column, the crest of a fourth colour, the reward."""
        color = self._page_color()
        self.set_played = True
        for card in cards:
            self._from_hand(seat, card)
            self._reveal(seat, card, len(self.events))
        row = self.rows[seat]
        self.events.append(
            {
                "type": "play",
                "seat": seat,
                "cards": [CARDS[card] for card in cards],
                "color": COLORS[color],
                "new": None if color in row else side or "right",
            }
        )
        if color not in row:
            row.insert(0 if side == "left" else len(row), color)
            if len(row) == len(COLORS) and self.crests_left:  # DK-17
                self.crests[seat] = self.crests_left.pop()
                self.events.append({"type": "crest", "seat": seat, "value": self.crests[seat]})
        self.columns[seat][color] += cards
        self._reward(seat)

    def _reward(self, seat: int) -> None:
        """DK-18, DK-19: the number page's reward, piece and pearl first; what is lacking is forfeited."""
        number = self._page_number()
        rewards = self.rules.rewards[number - 1] if number <= len(self.rules.rewards) else ()
        for reward in rewards:
            if reward in ("lowest", "highest"):
                self._gain_piece(seat, 0 if reward == "lowest" else -1)
        for reward in rewards:
            if reward == "crystal" and self.crystals_left:
                self.crystals_left -= 1
                self.crystals[seat] += 1
            elif reward == "egg" and self.eggs_left:
                self.eggs_left -= 1
                self.eggs[seat] += 1
            elif reward == "shadow" and self.shadows_left:
                self.shadows_left -= 1
                self._to_hand(seat, SHADOW_CARD)
                self.known[seat].append(Gained(SHADOW_CARD, len(self.events)))
            else:
                continue
            self.events.append({"type": "gain", "seat": seat, "what": reward})

    def _gain_piece(self, seat: int, which: int) -> None:
        """DK-18, DK-20: a piece; every third completes an amulet and earns a pearl, seen by its owner."""
        if not self.pieces_left:
            return
        value = self.pieces_left.pop(which)
        self.pieces[seat].append(value)
        self.events.append({"type": "gain", "seat": seat, "what": "piece", "value": value})
        if len(self.pieces[seat]) % self.rules.pieces_per_amulet:
            return
        self.amulets += 1
        if self.pearls_left:
            self.pearls[seat].append(self.pearls_left.pop())
            self.events.append({"type": "gain", "seat": seat, "what": "pearl"})

    def _pass(self) -> None:
        self.events.append({"type": "pass", "seat": self.asked})
        self._ask_next()

    def _ask_next(self) -> None:
        """DK-21: the others in turn, clockwise from the active player's left; then the turn is over."""
        self.step = FOLLOW
        self.asked = (self.asked + 1) % self.players
        if self.asked == self.active:
            self._end_turn()

    def _end_turn(self) -> None:
        """DK-23, DK-24: over by amulets, by a round in which nothing moved, or by the turns played."""
        rules = self.rules
        self.turns += 1
        self.idle_turns = self.idle_turns + 1 if self.nothing_to_take and not self.set_played else 0
        if self.amulets >= rules.end_amulets[self.players - 2]:
            self._end("amulets")
        elif self.idle_turns >= self.players:
            self._end("standstill")
        elif self.turns >= rules.max_turns:
            self._end("max_turns")
        else:
            self._begin_turn((self.active + 1) % self.players)

    def _end(self, why: str) -> None:
        self.step = OVER
        self.events.append({"type": "over", "why": why})

    # The book, the hands, and what is known of them.

    def _page_number(self) -> int:
        """What the left page says; 0 if there is no page."""
        pile = self.piles[LEFT]
        return int(CARDS[pile[-1]][1]) if pile else 0

    def _page_color(self) -> int:
        """The colour on the right page, as its place in ``COLORS``; −1 if there is no page."""
        pile = self.piles[RIGHT]
        return COLOR_OF_BACK[CARDS[pile[-1]][1]] if pile else -1

    def _counts(self, seat: int, color: int) -> tuple[int, ...]:
        """How many of each playable card the seat holds, the shadow dragons last."""
        hand = self.hands[seat]
        if color < 0:
            return ()
        first = color * KINDS_PER_COLOR
        return (*hand[first : first + KINDS_PER_COLOR], hand[SHADOW_CARD])

    def _display_is_empty(self) -> bool:
        return all(card is None for card in self.display)

    def _to_hand(self, seat: int, card: int) -> None:
        self.hands[seat][card] += 1
        self.hand_sizes[seat][not IS_LEFT[card]] += 1

    def _from_hand(self, seat: int, card: int) -> None:
        self.hands[seat][card] -= 1
        self.hand_sizes[seat][not IS_LEFT[card]] -= 1

    def _reveal(self, seat: int, card: int, time: int) -> None:
        """Everybody sees a card that the seat had in hand then: the latest known one, or a starter."""
        known = self.known[seat]
        for index in range(len(known) - 1, -1, -1):
            if known[index].card == card and known[index].time <= time:
                del known[index]
                return
        self.unknown[seat] -= 1
        self.seen_starters.append((seat, card))

    # What can be seen, and the end.

    def observation(self, player: int) -> dict[str, Json]:
        """All that a seat may know now; of the others' hands, pieces and pearls only the numbers."""
        return {
            "players": self.players,
            "seat": player,
            "active": self.active,
            "step": self.step,
            "turn": self.turns,
            "display": self._told_display(),
            "pages": self._told_pages(),
            "piles": [len(pile) for pile in self.piles],
            "taken": self.taken,
            "crystals_used": self.crystals_used,
            "changed": self.changed.copy(),
            "hand": names_of(self.hands[player]),
            "hand_sizes": [sum(sizes) for sizes in self.hand_sizes],
            "rows": [
                [
                    {"color": COLORS[color], "cards": [CARDS[card] for card in self.columns[seat][color]]}
                    for color in row
                ]
                for seat, row in enumerate(self.rows)
            ],
            "pieces": self.pieces[player].copy(),
            "piece_counts": list(map(len, self.pieces)),
            "pearls": [list(pearl) for pearl in self.pearls[player]],
            "pearl_counts": list(map(len, self.pearls)),
            "crystals": self.crystals.copy(),
            "eggs": self.eggs.copy(),
            "crests": self.crests.copy(),
            "amulets": self.amulets,
            "supply": {
                "pieces": self.pieces_left.copy(),
                "pearls": len(self.pearls_left),
                "crystals": self.crystals_left,
                "eggs": self.eggs_left,
                "crests": self.crests_left[::-1],
                "shadows": self.shadows_left,
            },
        }

    def _told_display(self) -> dict[str, str | None]:
        slots = slot_names(self.rules.display_per_pile)
        return {
            slot: None if card is None else CARDS[card]
            for slot, card in zip(slots, self.display, strict=True)
        }

    def _told_pages(self) -> list[str | None]:
        return [CARDS[pile[-1]][1] if pile else None for pile in self.piles]

    def returns(self) -> list[int]:
        """DK-25, DK-26, DK-27: the points of each seat as it stands."""
        rules = self.rules
        most_eggs = max(self.eggs)
        return [
            rules.dragon_value * self._dragons(seat)
            + sum(self.pieces[seat])
            + sum(pearl.value for pearl in self.pearls[seat])
            + self.crests[seat]
            + rules.egg_value * self.eggs[seat]
            + (rules.most_eggs_value - rules.egg_value) * (0 < self.eggs[seat] == most_eggs)
            for seat in range(self.players)
        ]

    def ranks(self) -> list[int]:
        """DK-28: by points, then by dragon cards in play, then shared."""
        return rank_by([(score, self._dragons(seat)) for seat, score in enumerate(self.returns())])

    def _dragons(self, seat: int) -> int:
        """The dragon cards that a seat has in play, shadow dragons included."""
        return sum(map(len, self.columns[seat]))

    def clone(self) -> Self:
        """An independent copy; what never changes is shared."""
        copy = self.__class__.__new__(self.__class__)
        for name in self.__slots__:
            setattr(copy, name, getattr(self, name))
        for name in ("display", "pieces_left", "pearls_left", "crests_left", "events", "changed"):
            setattr(copy, name, getattr(self, name).copy())
        for name in ("crystals", "eggs", "crests", "unknown", "seen_starters"):
            setattr(copy, name, getattr(self, name).copy())
        for name in ("hands", "hand_sizes", "piles", "laid", "rows", "pieces", "pearls", "known"):
            setattr(copy, name, [inner.copy() for inner in getattr(self, name)])
        copy.columns = [[column.copy() for column in columns] for columns in self.columns]
        return copy

    def resample(self, player: int, rng: Stream) -> Self:
        """A copy in which all that this seat can't know is drawn anew, and all that it has seen stays."""
        copy = self.clone()
        draw_unseen(copy, player, rng)
        return copy

    def __str__(self) -> str:
        told = self.observation(self.asked)
        shown = " ".join(f"{slot}:{card or '--'}" for slot, card in told["display"].items())
        lines = [
            f"book {told['pages'][LEFT]} {told['pages'][RIGHT]}  display {shown}  "
            f"piles {told['piles'][LEFT]} {told['piles'][RIGHT]}  amulets {self.amulets}"
        ]
        for seat in range(self.players):
            row = " | ".join(f"{c['color']}: {' '.join(c['cards'])}" for c in told["rows"][seat])
            lines.append(
                f"seat {seat}: hand {' '.join(names_of(self.hands[seat]))}; row {row or '-'}; "
                f"pieces {self.pieces[seat]}, pearls {[pearl.value for pearl in self.pearls[seat]]}, "
                f"crystals {self.crystals[seat]}, eggs {self.eggs[seat]}, crest {self.crests[seat]}"
            )
        if self.current_player is not None:
            lines.append(f"seat {self.current_player} chooses: {', '.join(self.legal_actions())}")
        return "\n".join(lines)

    def _illegal(self, action: object) -> IllegalActionError:
        if self.current_player is None:
            return IllegalActionError(f"the game is over: {action!r} is not legal, nothing is")
        legal = self.legal_actions()
        shown = ", ".join(legal[:_SHOWN_OF_LEGAL]) + ", …" * (len(legal) > _SHOWN_OF_LEGAL)
        return IllegalActionError(f"seat {self.current_player} may not play {action!r}; legal are: {shown}")
