"""The texts of this game, which lie in words/locale, and refusals that name their rule."""

from jamboree.core.words import Catalogue

CATALOGUE = Catalogue(f"{__package__}.words")
refuse = CATALOGUE.refuse
