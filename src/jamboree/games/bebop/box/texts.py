"""The texts of this game, which lie in words/locale, and refusals that name their rule."""

from jamboree.core.words import Catalogue

CATALOGUE = Catalogue("jamboree.games.bebop.words")
refuse = CATALOGUE.refuse
